/** The service in NestJS, as its guide would write it. PORT, DATABASE and API_KEY come from the environment. */
import 'reflect-metadata'
import { Module, ValidationPipe } from '@nestjs/common'
import { APP_GUARD, NestFactory } from '@nestjs/core'
import { Pets } from '../pets.js'
import { KeyGuard } from './key.guard.js'
import { PetsController } from './pets.controller.js'

@Module({
  controllers: [PetsController],
  providers: [
    { provide: Pets, useFactory: () => new Pets(process.env.DATABASE ?? '') },
    { provide: APP_GUARD, useClass: KeyGuard },
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }))
await app.listen(Number(process.env.PORT), '127.0.0.1')
