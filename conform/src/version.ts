/**
 * The version of the kit, the same as in its package.json. It is repeated here because a built kit may lack that file.
 */
export const version = '1.0.0'
