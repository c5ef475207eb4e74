/** The envelope of most answers (appliance-api.md §7.2), also where the document shows no shape. */
export function done(info = '') {
  return { Status: true, Error: '', Info: info };
}

export function refused(reason: string) {
  return { Status: false, Error: reason, Info: '' };
}
