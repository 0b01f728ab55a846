/**
 * The base to which the endpoints of RTK Query are added. A store has the address and the key as its extra argument.
 */
import {
  type BaseQueryFn,
  createApi,
  type FetchArgs,
  type FetchBaseQueryError,
  fetchBaseQuery,
} from '@reduxjs/toolkit/query'

const baseQuery: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError> = (args, api, options) => {
  const [baseUrl, key] = api.extra as [string, string]
  const prepareHeaders = (headers: Headers) => headers.set('Authorization', `Bearer ${key}`)
  return fetchBaseQuery({ baseUrl, prepareHeaders })(args, api, options)
}
export const base = createApi({ baseQuery, endpoints: () => ({}) })
