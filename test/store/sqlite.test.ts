/** The store on SQLite: the common suite, and what is SQLite's own. */

import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { Folder } from '../support/process.ts'
import { storeSuite } from './suite.ts'

storeSuite('SQLite', async () => {
  const folder = new Folder()
  let store = openSqlite(folder.database)
  return {
    store,
    async reopen() {
      await store.close()
      store = openSqlite(folder.database)
      return store
    },
    async remove() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
})
