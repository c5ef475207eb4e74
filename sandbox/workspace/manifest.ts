import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type DeclaredParameters, readParameters } from './functions/parameters.ts';
import type { Step } from './functions/step.ts';

/** The parts of the app's manifest that Slack itself would know about the installed app. */
export interface InstalledApp {
  readonly name: string;
  readonly botName: string;
  readonly commands: readonly SlashCommand[];
  readonly shortcuts: readonly Shortcut[];
  readonly scopes: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  /** The steps that people find in Workflow Builder. */
  readonly steps: readonly Step[];
  /** The app hears of links to these domains, and may unfurl them. */
  readonly unfurlDomains: readonly string[];
  readonly homeTab: boolean;
  readonly messagesTab: boolean;
  /** Else people at most read in the Messages tab, and cannot type there, neither messages nor slash commands. */
  readonly takesMessages: boolean;
}

interface SlashCommand {
  readonly command: string;
  readonly description: string;
  readonly usage_hint: string;
  readonly shouldEscape: boolean;
}

interface Shortcut {
  readonly callback_id: string;
  readonly name: string;
  readonly description: string;
  readonly type: 'message' | 'global';
}

/** The parts of Slack's manifest (slack-facts.md §8) that change how a workspace treats the app. */
export interface Manifest {
  readonly display_information?: { readonly name?: string };
  readonly features?: {
    readonly app_home?: {
      readonly home_tab_enabled?: boolean;
      readonly messages_tab_enabled?: boolean;
      readonly messages_tab_read_only_enabled?: boolean;
    };
    readonly bot_user?: { readonly display_name?: string };
    readonly slash_commands?: readonly {
      readonly command: string;
      readonly description?: string;
      readonly usage_hint?: string;
      readonly should_escape?: boolean;
    }[];
    readonly shortcuts?: readonly Shortcut[];
    readonly unfurl_domains?: readonly string[];
  };
  readonly oauth_config?: { readonly scopes?: { readonly bot?: readonly string[] } };
  readonly functions?: Readonly<
    Record<
      string,
      {
        readonly title: string;
        readonly description?: string;
        readonly input_parameters?: DeclaredParameters;
        readonly output_parameters?: DeclaredParameters;
      }
    >
  >;
  readonly settings?: {
    readonly event_subscriptions?: { readonly bot_events?: readonly string[] };
    readonly function_runtime?: string;
    readonly org_deploy_enabled?: boolean;
  };
}

/**
 * "Installs" the app: takes a manifest, or the path of one (YAML or JSON).
 * @throws TypeError when the file cannot be read
 */
export function installApp(manifest: Manifest | string | URL = {}): InstalledApp {
  const read = typeof manifest === 'string' || manifest instanceof URL ? readManifest(manifest) : manifest;
  const features = read.features ?? {};
  return {
    name: read.display_information?.name ?? 'App',
    botName: features.bot_user?.display_name ?? 'app',
    commands: (features.slash_commands ?? []).map((slash) => ({
      command: slash.command,
      description: slash.description ?? '',
      usage_hint: slash.usage_hint ?? '',
      shouldEscape: slash.should_escape ?? false,
    })),
    shortcuts: features.shortcuts ?? [],
    scopes: new Set(read.oauth_config?.scopes?.bot ?? []),
    events: new Set(read.settings?.event_subscriptions?.bot_events ?? []),
    steps: stepsOf(read),
    unfurlDomains: features.unfurl_domains ?? [],
    homeTab: features.app_home?.home_tab_enabled ?? false,
    messagesTab: features.app_home?.messages_tab_enabled ?? false,
    takesMessages:
      features.app_home?.messages_tab_enabled === true &&
      features.app_home.messages_tab_read_only_enabled !== true,
  };
}

/** The steps of an app are offered where it hears of them: hosted by itself, and ready for an organisation (slack-facts.md §8). */
function stepsOf({ functions = {}, settings = {} }: Manifest): readonly Step[] {
  const { function_runtime, org_deploy_enabled, event_subscriptions } = settings;
  const isHeard = event_subscriptions?.bot_events?.includes('function_executed');
  if (function_runtime !== 'remote' || org_deploy_enabled !== true || !isHeard) return [];
  return Object.entries(functions).map(([callback_id, declared]) => ({
    callback_id,
    title: declared.title,
    description: declared.description ?? '',
    input_parameters: readParameters(declared.input_parameters),
    output_parameters: readParameters(declared.output_parameters),
  }));
}

/** Workspaces are many in the tests, and start with the same one. */
const manifests = new Map<string, Manifest>();

export function readManifest(path: string | URL): Manifest {
  try {
    const text = readFileSync(path, 'utf8');
    // Callers with manifests of strangers check the shape.
    const manifest = manifests.get(text) ?? (parse(text) as Manifest);
    manifests.set(text, manifest);
    return manifest;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`The manifest ${path} cannot be read: ${why}`, { cause });
  }
}
