import { parseArgs } from 'node:util';
import { readHealthPort } from '../src/config/telemetry.ts';
import { inLines, type Problem } from '../src/problem.ts';
import { readWords, type Terminal } from './terminal.ts';

const usage = `Usage:

appliance-bot health [--ready]
    Asks the bot on this machine, at its HEALTH_PORT, whether it is alive; with --ready, whether it can do all of its
    work. For health checks of containers. Exits with 0 if the answer is yes, and with 1 if not.
`;

/** Supervisors ask every few seconds, and wait no longer themselves, in milliseconds. */
const patience = 4_000;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function healthTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { write, complain, environment } = terminal;
  const parse = () =>
    parseArgs({
      args: [...words],
      options: { ready: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  const read = readWords(parse, usage, terminal);
  if ('code' in read) return read.code;
  const { ready } = read.parsed.values;
  const problems: Problem[] = [];
  const settings = readHealthPort(environment, problems);
  if (settings === undefined) {
    complain(
      problems.length > 0
        ? `${inLines(problems)}\n`
        : 'HEALTH_PORT is not set, so the bot answers no health checks. Set it, such as HEALTH_PORT=9464, and restart the bot.\n',
    );
    return 1;
  }
  const url = `http://${reachable(settings.host)}:${settings.port}${ready ? '/readyz' : '/healthz'}`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patience), redirect: 'error' });
    const says = await response.text();
    (response.ok ? write : complain)(says);
    return response.ok ? 0 : 1;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? ('code' in cause ? cause.code : cause.name) : cause;
    complain(
      `No bot answers at ${url} (${why}). Check that the bot runs, and that it was started with this HEALTH_PORT.\n`,
    );
    return 1;
  }
}

/** A server that listens on all addresses is asked at this one. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
