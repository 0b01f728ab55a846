/** The version of the kit, which is that of its package.json: a built kit may be without that file. */
export const version = '1.0.0'
