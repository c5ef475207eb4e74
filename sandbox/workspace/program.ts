import { parseArgs } from 'node:util';
import type { Workspace } from './workspace.ts';

/** The options of a command line. */
interface Asked {
  readonly port: number;
  readonly manifest?: string;
  readonly requestUrl?: string;
}

/** A program that starts a workspace with its page, and ends with it. */
export interface WorkspaceProgram {
  /** How it is called, and what of its own it says. */
  readonly usage: string;
  /** @throws TypeError for unknown options */
  readonly start: (asked: Asked) => Promise<Workspace>;
}

interface Terminal {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

const options = `
  --port PORT         the port of the page (a free one)
  --request-url URL   for HTTP mode: where the app listens, such as http://127.0.0.1:3000/slack/events
`;

/** Resolves to the exit code, or to undefined while the page is open. */
export async function runWorkspace(
  words: readonly string[],
  { usage, start }: WorkspaceProgram,
  { stdout, stderr }: Terminal,
): Promise<number | undefined> {
  const help = `${usage}${options}`;
  try {
    const asked = read(words);
    if (asked === undefined) {
      stdout.write(help);
      return 0;
    }
    const workspace = await start(asked);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void workspace.stop().then(() => process.exit(0)));
    }
    stdout.write(introduction(workspace, asked));
    return undefined;
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken && !(error instanceof TypeError)) throw error;
    stderr.write(
      `${isTaken ? 'That port is taken. Choose another one with --port.' : error.message}\n\n${help}`,
    );
    return 2;
  }
}

function read(words: readonly string[]): Asked | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      port: { type: 'string', default: '0' },
      manifest: { type: 'string' },
      'request-url': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return undefined;
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`--port ${values.port} is not a port number.`);
  const { manifest, 'request-url': requestUrl } = values;
  if (requestUrl !== undefined && !URL.canParse(requestUrl))
    throw new TypeError(`--request-url ${requestUrl} is not an address.`);
  return {
    port,
    ...(manifest !== undefined && { manifest }),
    ...(requestUrl !== undefined && { requestUrl }),
  };
}

/** The settings for a shell, and the IDs that an app's own settings may name. */
function introduction(workspace: Workspace, { requestUrl }: Asked): string {
  const { url, apiUrl, botToken, appToken, signingSecret, channels, userGroups, people } = workspace;
  const ids = [
    ...channels.filter(({ isIm }) => !isIm).map(({ id, name }) => [id, `#${name}`]),
    ...userGroups.map(({ id, handle }) => [id, `@${handle}`]),
    ...people.filter(({ isBot }) => !isBot).map(({ id, name }) => [id, `@${name}`]),
  ];
  return `
  Workspace:  ${url}

  For the terminal in which the app starts:

    export SLACK_API_URL=${apiUrl}
    export SLACK_BOT_TOKEN=${botToken}
    export SLACK_APP_TOKEN=${appToken}
${requestUrl === undefined ? '' : `    export SLACK_SIGNING_SECRET=${signingSecret}\n`}
  Channels, user groups and people, by ID:

${ids.map(([id = '', name]) => `    ${id.padEnd(12)}${name}`).join('\n')}

  Ctrl+C ends it. This is not Slack, and nothing leaves this machine.
`;
}
