/** What is sent, and the rules it is held to. */
import { Type } from 'class-transformer'
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator'

const statuses = ['available', 'pending', 'sold']

export class ListPetsDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 20

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  after = 0

  @IsOptional()
  @IsIn(statuses)
  status?: string
}

export class CreatePetDto {
  @IsString()
  @Length(1, 1024)
  name!: string

  @IsInt()
  categoryId!: number

  @IsOptional()
  @IsIn(statuses)
  status = 'available'
}
