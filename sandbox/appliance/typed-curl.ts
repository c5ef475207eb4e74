/** Sends the request of a documented curl line. */
export function curl(line: string): Promise<Response> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const after = (option: string) => words[words.indexOf(option) + 1];
  const [name = '', value = ''] = (words.includes('-H') ? after('-H') : '')?.split(': ') ?? [];
  return fetch(words.find((word) => word.startsWith('http')) ?? '', {
    method: (words.includes('-X') && after('-X')) || 'GET',
    headers: name === '' ? {} : { [name]: value },
    ...(words.includes('-d') && { body: after('-d') ?? '' }),
  });
}
