/** Limits parallel connections. Each needs a file handle, and a process may open only so many. */

/** Parallel connections; further ones wait. */
export interface Sockets {
  /** Messages, questions, and private answers with files: each this many. */
  readonly toSlack: number;
  /** To all appliances together; undefined if unlimited. */
  readonly toAppliances: number | undefined;
  /** Requests from Slack or others over HTTP. */
  readonly fromSlack: number;
  /** Browsers from block pages. */
  readonly fromBrowsers: number;
}

/**
 * Files of an idle bot: some twenty of Node, two Slack connections, the journal and the log, and a few
 * short-lived ones.
 */
const atRest = 40;
/** Below this it works slowly. */
const few = 256;
const most = { toSlack: 100, toAppliances: 300, fromSlack: 500, fromBrowsers: 200 } as const;

/**
 * Divides the limit: a tenth for block pages if they are enabled; of the rest a third for each direction, or
 * half if only web sockets come in.
 */
export function socketsWithin(limit: number, inlet: 'socket' | 'http', hasBlockPage = false): Sockets {
  const fromBrowsers = hasBlockPage ? Math.min(Math.max(Math.floor(limit / 10), 4), most.fromBrowsers) : 0;
  const share = Math.floor(Math.max(limit - fromBrowsers - atRest, 12) / (inlet === 'http' ? 3 : 2));
  const toAppliances = Math.max(share, 1);
  return {
    toSlack: Math.min(Math.max(Math.floor(share / 3), 1), most.toSlack),
    toAppliances: toAppliances >= most.toAppliances ? undefined : toAppliances,
    fromSlack: Math.min(share, most.fromSlack),
    fromBrowsers,
  };
}

export const isScarce = (limit: number): boolean => limit < few;

let limit: number | undefined;

/**
 * The limit of open files of this process; infinite if the system does not report it. Node has raised it to the
 * maximum.
 */
export function openFilesLimit(): number {
  // Reading it takes milliseconds.
  limit ??= limitOfProcess();
  return limit;
}

function limitOfProcess(): number {
  if (process.report === undefined) return Number.POSITIVE_INFINITY;
  // Otherwise the report resolves the names of all connections. Some versions of Node, and its types, lack
  // this.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits }: { readonly userLimits?: { readonly open_files?: { readonly soft: unknown } } } =
    process.report.getReport();
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY;
}
