/**
 * Writes metrics in the text format of Prometheus (version 0.0.4) by hand: a library would take 4.7 MB and 70
 * ms of each start (docs/decisions). Labels are declared with all their values if that is a short list, so that
 * no person, channel, site or ID can become one.
 */

type Labels = Readonly<Record<string, string>>;

interface Declared<Name extends string> {
  /** A count ends in `_total`, a time in `_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Name[];
}

interface Counter<Name extends string = never> {
  readonly add: (labels: Readonly<Record<Name, string>>, by?: number) => void;
}

interface Histogram<Name extends string = never> {
  readonly observe: (seconds: number, labels: Readonly<Record<Name, string>>) => void;
}

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

export interface Metrics {
  readonly counter: <const Name extends string = never>(declared: Declared<Name>) => Counter<Name>;
  readonly histogram: <const Name extends string = never>(
    declared: Declared<Name> & { readonly buckets: readonly number[] },
  ) => Histogram<Name>;
  /** Read with the metrics. One that rejects is left out, and counted. */
  readonly gauge: Read;
  /** A total that other code counts. */
  readonly total: Read;
  readonly text: () => Promise<string>;
  readonly declared: () => readonly (Declared<string> & { readonly type: string })[];
}

type Read = (declared: Declared<string>, read: () => Promise<readonly Sample[]> | readonly Sample[]) => void;

interface Family extends Declared<string> {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly lines: () => Promise<readonly string[]> | readonly string[];
}

const failures = 'appliance_bot_metrics_failed';
const failuresHelp = 'Metrics that cannot be read now, such as those of the journal while it cannot be used';

export function createMetrics(): Metrics {
  const families: Family[] = [];
  const add = (family: Family) => void families.push(family);
  const reading =
    (type: 'counter' | 'gauge'): Read =>
    (declared, read) =>
      add({
        ...declared,
        type,
        lines: async () =>
          (await read()).map(({ labels = {}, value }) => `${declared.name}${labelled(labels)} ${value}`),
      });

  return {
    counter: (declared) => {
      const counts = new Map<string, number>();
      const { name } = declared;
      add({
        ...declared,
        type: 'counter',
        lines: () => {
          // A count that exists from the start with 0 shows its first increase.
          if (declared.labels === undefined && counts.size === 0) counts.set('', 0);
          return [...counts].map(([labels, count]) => `${name}${labels} ${count}`);
        },
      });
      return {
        add: (labels, by = 1) => {
          const key = labelled(labels);
          counts.set(key, (counts.get(key) ?? 0) + by);
        },
      };
    },

    histogram: (declared) => {
      const { name, buckets } = declared;
      const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();
      add({
        ...declared,
        type: 'histogram',
        lines: () =>
          [...series.values()].flatMap(({ labels, counts, sum }) => {
            let below = 0;
            const lines = [...buckets.map(String), '+Inf'].map((le, index) => {
              below += counts[index] ?? 0;
              return `${name}_bucket${labelled({ ...labels, le })} ${below}`;
            });
            return [
              ...lines,
              `${name}_sum${labelled(labels)} ${sum}`,
              `${name}_count${labelled(labels)} ${below}`,
            ];
          }),
      });
      return {
        observe: (seconds, labels) => {
          const key = labelled(labels);
          let one = series.get(key);
          if (one === undefined) {
            one = { labels, counts: Array<number>(buckets.length + 1).fill(0), sum: 0 };
            series.set(key, one);
          }
          const index = buckets.findIndex((most) => seconds <= most);
          const at = index === -1 ? buckets.length : index;
          one.counts[at] = (one.counts[at] ?? 0) + 1;
          one.sum += seconds;
        },
      };
    },

    gauge: reading('gauge'),
    total: reading('counter'),

    text: async () => {
      let failed = 0;
      const parts = await Promise.all(
        families.map(async ({ name, help, type, lines }) => {
          try {
            return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(await lines())];
          } catch {
            failed += 1;
            return [];
          }
        }),
      );
      const own = [`# HELP ${failures} ${failuresHelp}`, `# TYPE ${failures} gauge`, `${failures} ${failed}`];
      return `${[...parts.flat(), ...own].join('\n')}\n`;
    },

    declared: () => [
      ...families.map(({ lines: _, ...declared }) => declared),
      { name: failures, help: failuresHelp, type: 'gauge' },
    ],
  };
}

/** `{effect="write",outcome="done"}`; '' without any. */
function labelled(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
