/** The client as `npm pack` made it, which the service hands out and its samples install. */
import { programVersion } from '../config/program.ts'

/** The released versions of our client, this one last: a lockfile may have any. */
const clientVersions = [programVersion()]
export const clientFiles = clientVersions.map((version) => `client-${version}.tgz`)
export const clientFile = clientFiles.at(-1) as string
