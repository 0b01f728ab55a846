/** A log whose lines name the shop that they are about. */
import type { Log } from '../observe/log.ts'

export function logOfShop(log: Log, shop: string): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log[typeof level] =>
    (members, message = members as string) =>
      log[level]({ shop, ...(typeof members === 'object' && members) }, message)
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    isLevelEnabled: log.isLevelEnabled,
    // A complete line, whose first member is the level.
    defer: (line) => log.defer(line.replace('{', `{"shop":"${shop}",`)),
  }
}
