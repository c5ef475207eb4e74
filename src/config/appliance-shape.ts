import { z } from 'zod';
import {
  type ApplianceSettings,
  isShellPassword,
  isWebConsole,
  type OperationName,
  operations,
  parseReleaseName,
  problemWithAddress,
} from '../api/index.ts';
import { type Environment, resolveSecret } from './secret.ts';

/** What the file says of one appliance: as the client takes it, but for the name, which is its key in the file. */
export type ConfiguredAppliance = Pick<
  ApplianceSettings,
  | 'name'
  | 'url'
  | 'directoryUrl'
  | 'mirrorUrl'
  | 'mirrorConsoleUrl'
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
      'has a query or a fragment, which no call would keep',
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
  readonly settings: Omit<ConfiguredAppliance, 'name'>;
  readonly tags: readonly string[];
}

/** The settings of one appliance. Secrets stand in it by reference only. */
export function applianceSchema(environment: Environment, folder: string) {
  const secret = (what: string) =>
    z
      .string({ error: `must be a reference to ${what}` })
      .transform((reference, context) => resolveSecret(reference, environment, folder, context));

  return z
    .strictObject(
      {
        url: address('the Web API').refine(
          (url) => !isWebConsole(url),
          'has port 9000, which is the web console: the Web API listens on 9503 by default',
        ),
        directory_url: address('the directory API').optional(),
        mirror_url: address('the mirror service').optional(),
        mirror_console_url: address('the console of the mirror service').optional(),
        tags: z.array(tag, { error: 'must be a list of tags, such as [prod, europe]' }).default([]),
        key: secret('the Web API key').optional(),
        key_everywhere: z.boolean({ error: 'must be true or false' }).optional(),
        methods: methods.optional(),
        release: z
          .string({ error: 'must be a release in quotes' })
          .refine(
            (text) => parseReleaseName(text) !== undefined,
            'must be written like "4.50 SP4" or "4.50 SP4 hotfix 20250525-12"',
          )
          .optional(),
        shell_password: secret('the shell password')
          .refine(
            isShellPassword,
            'refers to a password with a quote, backslash, $ or space, which cannot be written into a script safely',
          )
          .optional(),
        timeouts: z
          .strictObject(
            { connect: seconds(600), read: seconds(600), whole: seconds(600), long: seconds(7_200) },
            { error: 'must be the settings of the timeouts' },
          )
          .partial()
          .optional(),
      },
      { error: 'must be the settings of one appliance' },
    )
    .transform(
      ({ url, tags, key, methods, release, timeouts = {}, ...more }): ApplianceEntry => ({
        tags,
        settings: {
          url,
          directoryUrl: more.directory_url,
          mirrorUrl: more.mirror_url,
          mirrorConsoleUrl: more.mirror_console_url,
          key,
          keyEverywhere: more.key_everywhere ?? false,
          methods,
          release,
          shellPassword: more.shell_password,
          deadlines: Object.fromEntries(
            Object.entries(timeouts).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, value * 1_000]],
            ),
          ),
        },
      }),
    );
}

/** Only operations whose method the document does not show can be given one. */
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
      // Written by a person, so that it may be no operation at all.
      if (operations.get(name as OperationName)?.methodShown === false) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is not an operation whose method the document leaves open (see docs/api.md)',
      });
    }
  });

/** One for each setting of an appliance. */
export const applianceExamples: Readonly<Record<string, string>> = {
  url: 'url: https://10.20.0.2:9503',
  tags: 'tags: [prod, europe]',
  directory_url: 'directory_url: https://10.20.0.2:9504',
  mirror_url: 'mirror_url: http://10.20.0.2:9090',
  mirror_console_url: 'mirror_console_url: http://10.20.0.2:8081',
  key: 'key: ${HQ_WEB_API_KEY}',
  key_everywhere: 'key_everywhere: true',
  methods: 'methods: { acl.compile: POST }',
  release: 'release: "4.50 SP4 hotfix 20250525-12"',
  shell_password: 'shell_password: ${HQ_SHELL_PASSWORD}',
  timeouts: 'timeouts: { connect: 3, read: 10, whole: 30, long: 900 }',
  connect: 'connect: 3',
  read: 'read: 10',
  whole: 'whole: 30',
  long: 'long: 900',
};
