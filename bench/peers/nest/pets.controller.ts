/** The operations on animals. */
import { Body, Controller, Get, NotFoundException, Param, ParseIntPipe, Post, Query } from '@nestjs/common'
import { type Pet, Pets } from '../pets.js'
import { CreatePetDto, ListPetsDto } from './pets.dto.js'

@Controller('v1/pets')
export class PetsController {
  constructor(private readonly pets: Pets) {}

  @Get()
  list(@Query() { limit, after, status }: ListPetsDto): Pet[] {
    return this.pets.list(limit, after, status)
  }

  @Get(':petId')
  get(@Param('petId', ParseIntPipe) petId: number): Pet {
    const pet = this.pets.find(petId)
    if (!pet) throw new NotFoundException('There is no animal with this id.')
    return pet
  }

  @Post()
  create(@Body() pet: CreatePetDto): Pet {
    return this.pets.add(pet)
  }
}
