/**
 * The envelope of most answers (appliance-api.md §7.2). Where the document shows no shape for an answer, this is the one
 * that it has here.
 */
export function done(info = '') {
  return { Status: true, Error: '', Info: info };
}

export function refused(reason: string) {
  return { Status: false, Error: reason, Info: '' };
}
