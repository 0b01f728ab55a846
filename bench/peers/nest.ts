/** The service in NestJS, as its guide would write it, in one file. PORT, DATABASE and API_KEY come from the environment. */
import 'reflect-metadata'
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common'
import { APP_GUARD, NestFactory } from '@nestjs/core'
import { Type } from 'class-transformer'
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator'
import type { Request } from 'express'
import { add, find, list, type Pet, statuses } from './pets.js'

@Injectable()
class KeyGuard implements CanActivate {
  readonly #keys = new Set([process.env.API_KEY])

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>()
    const [scheme, key] = request.headers.authorization?.split(' ') ?? []
    if (scheme !== 'Bearer' || !this.#keys.has(key)) throw new UnauthorizedException('Send a valid API key.')
    return true
  }
}

class ListPetsDto {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit = 20
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) after = 0
  @IsOptional() @IsIn(statuses) status?: string
}

class CreatePetDto {
  @IsString() @Length(1, 1024) name!: string
  @IsInt() categoryId!: number
  @IsOptional() @IsIn(statuses) status = 'available'
}

@Controller('v1/pets')
class PetsController {
  @Get()
  list(@Query() { limit, after, status }: ListPetsDto): Pet[] {
    return list(limit, after, status)
  }

  @Get(':petId')
  get(@Param('petId', ParseIntPipe) petId: number): Pet {
    const pet = find(petId)
    if (!pet) throw new NotFoundException('There is no animal with this id.')
    return pet
  }

  @Post()
  create(@Body() pet: CreatePetDto): Pet {
    return add(pet)
  }
}

@Module({ controllers: [PetsController], providers: [{ provide: APP_GUARD, useClass: KeyGuard }] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }))
await app.listen(Number(process.env.PORT), '127.0.0.1')
