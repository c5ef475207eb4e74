import { z } from 'zod';
import {
  type ApplianceSettings,
  isWebConsole,
  parseReleaseName,
  problemWithAddress,
  problemWithMethod,
} from '../../api/index.ts';
import type { ApplianceFacts } from '../../auth/request.ts';
import type { ApplianceSecrets } from '../appliance-secrets.ts';
import { referenceShape } from '../secret.ts';

/** What the file says of one appliance: as the client takes it, but for the name, which is its key in the file. */
export type ConfiguredAppliance = Pick<
  ApplianceSettings,
  | 'name'
  | 'url'
  | 'directoryUrl'
  | 'mirrorUrl'
  | 'mirrorConsoleUrl'
  | 'mirrorConsoleUser'
  | 'mirrorConsolePassword'
  | 'key'
  | 'keyEverywhere'
  | 'methods'
  | 'release'
  | 'shellPassword'
  | 'deadlines'
>;

const address = (whose: string) =>
  z
    .string({ error: `must be the address of ${whose}` })
    .refine(
      (url) => [undefined, 'query'].includes(problemWithAddress(url)),
      'must be an http or https address without a user name or password in it',
    )
    .refine(
      (url) => problemWithAddress(url) !== 'query',
      'contains a query or a fragment, which is not supported',
    );

const seconds = (most: number) =>
  z
    .number({ error: 'must be a number of seconds' })
    .positive('must be more than 0 seconds')
    .max(most, `must be at most ${most} seconds`);

/** A word that people type after `--on tag:`, so in one casing and without spaces. */
const tag = z
  .string({ error: 'must be a tag: lower-case letters, digits and hyphens' })
  .regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'must be a tag: lower-case letters, digits and hyphens');

/** One appliance as the file has it: what the client takes, and apart from that what only we know it by. */
export interface ApplianceEntry {
  readonly settings: Omit<ConfiguredAppliance, 'name' | keyof ApplianceSecrets>;
  readonly facts: ApplianceFacts;
}

const secret = (what: string) =>
  z
    .string({ error: `must be a reference to ${what}` })
    .regex(
      referenceShape,
      'must be a reference, ${NAME} or ${file:/run/secrets/name}: secrets can’t be written in this file',
    );

const methods = z
  .record(
    z.string(),
    z.enum(['GET', 'POST', 'PUT', 'DELETE'], { error: 'must be GET, POST, PUT or DELETE' }),
    {
      error: 'must list operations and their methods',
    },
  )
  .superRefine((given, context) => {
    for (const name of Object.keys(given)) {
      const problem = problemWithMethod(name, given);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
  });

/** The settings of one appliance. Secrets stand in it by reference only, and are looked up apart from it (`secret.ts`). */
export const appliance = z
  .strictObject(
    {
      url: address('the Web API')
        .refine(
          (url) => !isWebConsole(url),
          'has port 9000, which is the web console: the Web API listens on 9503 by default',
        )
        .meta({
          description: 'Address of the Web API. The default port is 9503.',
          examples: ['https://10.20.0.2:9503'],
        }),
      tags: z
        .array(tag, { error: 'must be a list of tags, such as [prod, europe]' })
        .default([])
        .meta({
          description: 'Tags for naming several appliances at once: --on tag:prod.',
          examples: [['prod', 'europe']],
        }),
      key: secret('the Web API key')
        .optional()
        .meta({
          description:
            'Web API key, as a reference. Sent with remote-desktop calls only, unless key_everywhere is true.',
          examples: ['${HQ_WEB_API_KEY}'],
        }),
      key_everywhere: z
        .boolean({ error: 'must be true or false' })
        .default(false)
        .meta({
          description: 'Whether the key is sent with every call to the appliance.',
          examples: [true],
        }),
      directory_url: address('the directory API')
        .optional()
        .meta({
          description: 'Address of the directory API, if it differs from url.',
          examples: ['https://10.20.0.2:9504'],
        }),
      mirror_url: address('the mirror service')
        .optional()
        .meta({
          description: 'The address of the mirror service.',
          examples: ['http://10.20.0.2:9090'],
        }),
      mirror_console_url: address('the console of the mirror service')
        .optional()
        .meta({
          description:
            'Address of the console of the mirror service. The default is port 8081 of the mirror’s host.',
          examples: ['http://10.20.0.2:8081'],
        }),
      mirror_console_user: z
        .string({ error: 'must be the name of a user of the mirror console' })
        .min(1, 'must be the name of a user of the mirror console')
        .optional()
        .meta({
          description:
            'User name for the console of the mirror service, if it requires a login. Set mirror_console_password as well.',
          examples: ['appliance-bot'],
        }),
      mirror_console_password: secret('the password of that user')
        .optional()
        .meta({
          description: 'Password of mirror_console_user, as a reference.',
          examples: ['${HQ_MIRROR_CONSOLE_PASSWORD}'],
        }),
      release: z
        .string({ error: 'must be a release in quotes' })
        .refine(
          (text) => parseReleaseName(text) !== undefined,
          'must be written like "4.50 SP4" or "4.50 SP4 hotfix 20250525-12"',
        )
        .optional()
        .meta({
          description: 'Release of the appliance, if the appliance does not report all of it.',
          examples: ['4.50 SP4 hotfix 20250525-12'],
        }),
      methods: methods.optional().meta({
        description:
          'HTTP methods of operations (docs/api.md), for an appliance that expects other methods than documented (undocumented ones are in brackets there).',
        examples: [{ 'acl.compile': 'POST', 'sqldb.deleteDatabase': 'GET' }],
      }),
      shell_password: secret('the shell password')
        .optional()
        .meta({
          description:
            'Password that allows uploaded shell packages to run, as a reference. The bot writes it into them.',
          examples: ['${HQ_SHELL_PASSWORD}'],
        }),
      timeouts: z
        .strictObject(
          {
            connect: seconds(600).meta({ description: 'To connect.', examples: [3] }),
            read: seconds(600).meta({ description: 'Longest silence after a request.', examples: [10] }),
            whole: seconds(600).meta({
              description: 'Longest time for a request with all its retries.',
              examples: [30],
            }),
            long: seconds(7_200).meta({
              description: 'Longest time for operations that take minutes, such as an installation.',
              examples: [900],
            }),
          },
          { error: 'must be the settings of the timeouts' },
        )
        .partial()
        .optional()
        .meta({
          description: 'Timeouts in seconds.',
          examples: [{ connect: 3, read: 10, whole: 30, long: 900 }],
        }),
    },
    { error: 'must be the settings of one appliance' },
  )
  .superRefine(({ mirror_console_user: user, mirror_console_password: password }, context) => {
    if ((user === undefined) === (password === undefined)) return;
    const [there, missing] =
      user === undefined
        ? ['mirror_console_password', 'mirror_console_user']
        : ['mirror_console_user', 'mirror_console_password'];
    context.addIssue({ code: 'custom', path: [there], message: `logs in with ${missing} only` });
  })
  .transform(
    ({ url, tags, methods, release, timeouts = {}, ...more }): ApplianceEntry => ({
      facts: { tags },
      settings: {
        url,
        directoryUrl: more.directory_url,
        mirrorUrl: more.mirror_url,
        mirrorConsoleUrl: more.mirror_console_url,
        mirrorConsoleUser: more.mirror_console_user,
        keyEverywhere: more.key_everywhere,
        methods,
        release,
        deadlines: Object.fromEntries(
          Object.entries(timeouts).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value * 1_000]],
          ),
        ),
      },
    }),
  );
