/** Path and query of a request. Text behind a second `?` belongs to the query. */
export function splitAddress(url = '/'): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf('?');
  return mark === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}
