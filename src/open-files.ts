/** How many connections there may be at once. Each is a file to the system, of which a process may have so many open. */

/** What may be under way at once. What comes beyond that waits. */
export interface Sockets {
  /** Messages to Slack; questions to Slack; private answers and files. Each. */
  readonly toSlack: number;
  /** To all appliances together; undefined where it need not be limited. */
  readonly toAppliances: number | undefined;
  /** Requests that Slack, or anybody, sends, over HTTP. */
  readonly fromSlack: number;
  /** Connections of browsers, which come from block pages. */
  readonly fromBrowsers: number;
}

/**
 * What a bot has open that does nothing: Node itself some twenty, two connections over which Slack sends, the journal
 * with its log, and one file or another for a moment.
 */
const atRest = 40;
/** Below this it works, and slowly. */
const few = 256;
/** As many as it ever takes. */
const most = { toSlack: 100, toAppliances: 300, fromSlack: 500, fromBrowsers: 200 } as const;

/**
 * Of so many files that may be open, a tenth for block pages where they lead here; of the rest a third for each direction, or half
 * where nothing else comes in but over web sockets.
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

/** How many files this process may have open; infinitely many where the system does not say. Node has raised it as far as it may. */
export function openFilesLimit(): number {
  // To look takes milliseconds.
  limit ??= limitOfProcess();
  return limit;
}

function limitOfProcess(): number {
  if (process.report === undefined) return Number.POSITIVE_INFINITY;
  // Else it looks up the names of all connections. Not every version of Node knows this, nor do its types.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits }: { readonly userLimits?: { readonly open_files?: { readonly soft: unknown } } } =
    process.report.getReport();
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) ? soft : Number.POSITIVE_INFINITY;
}
