import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { methods } from '../sandbox/workspace/methods.ts';
import { messageShortcuts, runCommand } from '../src/action/intake/shortcuts.ts';
import { outputs, stepNames, steps } from '../src/action/workflow/declared.ts';
import { missingScopes } from '../src/bot/connection/slack-connection.ts';
import { slashCommand } from '../src/bot/in/inbound.ts';
import { usageHint } from '../tools/usage-hint.ts';

const parameterShape = z.strictObject({
  type: z.enum(['string', 'slack#/types/channel_id']),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  is_required: z.boolean(),
});
const functionShape = z.strictObject({
  title: z.string(),
  description: z.string(),
  input_parameters: z.record(z.string(), parameterShape),
  output_parameters: z.record(z.string(), parameterShape),
});

/** The parts of a manifest that we use, with Slack's limits (slack-facts.md §8); a misspelt key is refused. */
const manifestShape = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(1), minor_version: z.literal(1) }),
  display_information: z.strictObject({
    name: z.string().max(35),
    description: z.string().max(140),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({
      display_name: z
        .string()
        .max(80)
        .regex(/^[a-z0-9._-]+$/),
      always_online: z.boolean(),
    }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().startsWith('/').max(32),
          description: z.string().max(2_000),
          usage_hint: z.string().max(1_000),
          should_escape: z.literal(true),
        }),
      )
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().max(24),
          type: z.enum(['message', 'global']),
          callback_id: z.string().max(255),
          description: z.string().max(150),
        }),
      )
      // Slack shows five of a kind (slack-facts.md §2).
      .max(5),
  }),
  functions: z.record(z.string(), functionShape),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()).max(255) }) }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()).max(100) }),
    interactivity: z.strictObject({ is_enabled: z.literal(true) }),
    // Without both Slack offers no steps of workflows (slack-facts.md §8).
    org_deploy_enabled: z.literal(true),
    function_runtime: z.literal('remote'),
    socket_mode_enabled: z.literal(true),
    token_rotation_enabled: z.literal(false),
  }),
});

/** Which scope an event needs (slack-facts.md §8); none for the App Home. */
const eventScopes: Readonly<Record<string, string | undefined>> = {
  app_home_opened: undefined,
  app_mention: 'app_mentions:read',
  channel_shared: 'channels:read',
  channel_unshared: 'channels:read',
  function_executed: undefined,
  member_joined_channel: 'channels:read',
  'message.im': 'im:history',
  subteam_members_changed: 'usergroups:read',
  subteam_updated: 'usergroups:read',
  user_change: 'users:read',
};

/** The workspace's own table, which refuses calls without the scope. */
const scopesOf = new Map<string, readonly string[]>(
  Object.entries(methods).map(([name, { scopes }]) => [name, scopes]),
);

const manifest = manifestShape.parse(parse(readFileSync('manifest.yml', 'utf8')));
const scopes = manifest.oauth_config.scopes.bot;
const source = globSync('src/bot/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') })
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** The Web API methods that the bot's own files call: `client.chat.postMessage(` → `chat.postMessage`. */
const usedMethods = [
  ...new Set(
    [...source.matchAll(/\b(?:client|asking|posting)\.((?:[a-z][A-Za-z]*\.)+[a-z][A-Za-z]*)\(/g)].map(
      ([, method = '']) => method,
    ),
  ),
];
/** The SDK's own name for the calls that together upload a file. */
if (source.includes('.filesUploadV2('))
  usedMethods.push('files.getUploadURLExternal', 'files.completeUploadExternal');
/** The bot subscribes only to messages in direct messages. */
const usedEvents = [
  ...[...source.matchAll(/app\.event\('([a-z_]+)'/g)].map(([, event = '']) =>
    event === 'message' ? 'message.im' : event,
  ),
  ...(source.includes('app.function(') ? ['function_executed'] : []),
];

/** The line for each of those that are missing in a list. */
const toAdd = (
  wanted: readonly string[],
  list: readonly string[],
  to: string,
  line: (one: string) => string,
) => wanted.filter((one) => !list.includes(one)).map((one) => `Add to ${to}: ${line(one)}`);
const toManifest = (wanted: readonly string[], list: readonly string[], setting: string) =>
  toAdd(wanted, list, `${setting} of manifest.yml`, (one) => `- ${one}`);

describe('manifest.yml', () => {
  test('has the slash command that the bot listens to, with users and channels as IDs', () => {
    expect(manifest.features.slash_commands.map(({ command }) => command)).toEqual([slashCommand]);
  });

  test('hints at everyday commands, as they are declared', () => {
    expect(manifest.features.slash_commands[0]?.usage_hint).toBe(usageHint());
  });

  test.each([
    ['message', messageShortcuts],
    ['global', [runCommand]],
  ] as const)('has the %s shortcuts that the bot listens to', (kind, heard) => {
    const shortcuts = manifest.features.shortcuts.filter(({ type }) => type === kind);
    const named = shortcuts.map(({ callback_id }) => callback_id);
    const line = (id: string) => `- { name: …, type: ${kind}, callback_id: ${id}, description: … }`;
    expect(toAdd(heard, named, 'features.shortcuts of manifest.yml', line)).toEqual([]);
    expect(named).toEqual(heard);
  });

  test('has the bot’s steps of workflows, each with its inputs and outputs', () => {
    const inManifest = Object.entries(manifest.functions).map(([name, declared]) => {
      const entries = Object.entries(declared.input_parameters);
      for (const [key, { name: own }] of [...entries, ...Object.entries(declared.output_parameters)])
        expect(own).toBe(key);
      const inputs = entries.map(([key, { is_required }]) => [key, is_required]);
      return [name, inputs, Object.keys(declared.output_parameters)];
    });
    const inCode = stepNames.map((name) => {
      const inputs = Object.entries(steps[name].shape).map(([key, shape]) => [
        key,
        !shape.safeParse(undefined).success,
      ]);
      return [name, inputs, [...outputs]];
    });
    expect(inManifest).toEqual(inCode);
  });

  test('has a tab in which people read the bot’s direct messages, and may type themselves', () => {
    const { messages_tab_enabled, messages_tab_read_only_enabled } = manifest.features.app_home;
    expect({ messages_tab_enabled, messages_tab_read_only_enabled }).toEqual({
      messages_tab_enabled: true,
      messages_tab_read_only_enabled: false,
    });
  });

  test('asks for the scope of every method that the bot calls', () => {
    expect(usedMethods).toContain('chat.postMessage');
    expect(usedMethods).toContain('usergroups.users.list');
    for (const method of usedMethods) {
      const needed = scopesOf.get(method);
      expect(needed, `${method} is known to the workspace`).toBeDefined();
      expect(toManifest(needed ?? [], scopes, 'oauth_config.scopes.bot'), `for ${method}`).toEqual([]);
    }
  });

  test('subscribes to exactly the events that the bot listens to, and asks for their scopes', () => {
    const { bot_events } = manifest.settings.event_subscriptions;
    const needed = usedEvents.flatMap((event) => eventScopes[event] ?? []);
    expect([
      ...toManifest(usedEvents, bot_events, 'settings.event_subscriptions.bot_events'),
      ...toAdd(usedEvents, Object.keys(eventScopes), '`eventScopes`', (event) => `${event}: '…:read',`),
      ...toManifest(needed, scopes, 'oauth_config.scopes.bot'),
    ]).toEqual([]);
    expect(usedEvents.toSorted()).toEqual(bot_events.toSorted());
  });

  test('asks for the scopes that the bot reports as missing at its start', () => {
    expect(
      toAdd(
        scopes,
        missingScopes([]),
        '`scopes` of src/bot/connection/slack-connection.ts',
        (scope) => `'${scope}',`,
      ),
    ).toEqual([]);
    expect(missingScopes([]).toSorted()).toEqual(scopes.toSorted());
  });

  test('asks for no scope that nothing uses', () => {
    const used = new Set([
      'commands',
      ...usedMethods.flatMap((method) => scopesOf.get(method) ?? []),
      ...usedEvents.map((event) => eventScopes[event]),
    ]);
    expect(scopes.filter((scope) => !used.has(scope))).toEqual([]);
  });
});
