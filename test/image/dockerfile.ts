/** One line of a Dockerfile: the instruction, and its arguments. */
interface Order {
  readonly word: string;
  readonly rest: string;
}

/** A stage: the instructions from one `FROM` to the next. */
export interface Stage {
  readonly name: string | undefined;
  readonly orders: readonly Order[];
}

/** As much of the language as ours needs (https://docs.docker.com/reference/dockerfile/). @throws for any more */
export function stagesIn(text: string): readonly Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string | undefined; orders: Order[] }[] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line.trim()) ?? [];
    if (word === 'FROM') {
      const [, name] = / AS (\S+)$/.exec(rest) ?? [];
      stages.push({ name, orders: [] });
    } else if (known.includes(word)) {
      stages.at(-1)?.orders.push({ word, rest });
    } else {
      throw new Error(`Not replayed: ${line}`);
    }
  }
  return stages;
}

const known = [
  ...['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER'],
  ...['VOLUME', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
];
