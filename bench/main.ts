import { parseArgs } from 'node:util';
import { build } from '../tools/build.ts';
import { acknowledgement } from './acknowledgement.ts';
import { audit } from './audit.ts';
import { asking } from './client/asking.ts';
import { bulk } from './client/bulk.ts';
import { reading } from './client/reading.ts';
import { crowd } from './crowd.ts';
import { deciding } from './deciding.ts';
import { fleet } from './fleet.ts';
import { grown } from './grown/measure.ts';
import { losses } from './losses.ts';
import { matching } from './matching.ts';
import type { Measurement, Row } from './measurement.ts';
import { memory } from './memory.ts';
import { startTime } from './start.ts';
import { table } from './table.ts';
import { watching } from './watching.ts';
import { wholeWay } from './whole-way.ts';
import { writes } from './writes.ts';

const measurements: readonly Measurement[] = [
  acknowledgement,
  wholeWay,
  startTime,
  memory,
  watching,
  asking,
  bulk,
  reading,
  matching,
  deciding,
  fleet,
  writes,
  audit,
  crowd,
  losses,
  grown,
];

const usage = `npm run bench                    measures the bot beside a bare Bolt app, its client beside others, and several bots, in about ten minutes
npm run bench -- --only NAME     one measurement: ${measurements.map(({ name }) => name).join(', ')}
                                 (${measurements
                                   .filter(({ isLong }) => isLong)
                                   .map(({ name }) => name)
                                   .join()} takes an hour, and is no part of all of them)
npm run bench -- --json          prints the rows as JSON and nothing else
`;

interface Request {
  readonly chosen: readonly Measurement[];
  readonly json: boolean;
}

function readRequest(given: readonly string[]): Request {
  const { values } = parseArgs({
    args: [...given],
    options: { only: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const chosen = measurements.filter(({ name, isLong }) =>
    values.only === undefined ? !isLong : values.only === name,
  );
  if (chosen.length === 0) throw new TypeError(`There is no measurement ${values.only}.`);
  return { chosen, json: values.json };
}

/** A contestant that failed to start, or answered something else, has no figures; those of the others stand. */
interface NotMeasured {
  readonly name: string;
  readonly why: string;
}

async function measure({ chosen, json }: Request) {
  const rows: Row[] = [];
  const notMeasured: NotMeasured[] = [];
  await build();
  for (const { name, method, measure } of chosen) {
    if (!json) process.stdout.write(`${name}: ${method}\n`);
    try {
      rows.push(...(await measure()));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      notMeasured.push({ name, why });
      process.stderr.write(`${name} could not be measured: ${why}\n`);
    }
  }
  return { rows, notMeasured };
}

try {
  const request = readRequest(process.argv.slice(2));
  const measured = await measure(request);
  const { rows, notMeasured } = measured;
  process.stdout.write(request.json ? `${JSON.stringify(measured, null, 2)}\n` : `\n${table(rows)}\n`);
  process.exitCode = notMeasured.length > 0 ? 2 : rows.every(({ met }) => met) ? 0 : 1;
} catch (error) {
  // A wrong option.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof TypeError) process.stderr.write(`\n${usage}`);
  process.exitCode = 2;
}
