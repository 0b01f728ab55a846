/** Lets in who holds a key. */
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common'
import type { Request } from 'express'

@Injectable()
export class KeyGuard implements CanActivate {
  readonly #keys = new Set([process.env.API_KEY])

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>()
    const [scheme, key] = request.headers.authorization?.split(' ') ?? []
    if (scheme !== 'Bearer' || !this.#keys.has(key)) throw new UnauthorizedException('Send a valid API key.')
    return true
  }
}
