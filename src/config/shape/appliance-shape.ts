import { z } from 'zod';
import {
  type ApplianceSettings,
  isWebConsole,
  parseReleaseName,
  problemWithAddress,
  problemWithMethod,
  problemWithProxyAddress,
  readFingerprint,
} from '../../api/index.ts';
import type { ApplianceFacts } from '../../auth/request.ts';
import type { ApplianceSecrets } from '../referenced.ts';
import { secret, together } from './values.ts';

/** The connection to an appliance: certificates, client certificate and proxy. */

const file = (what: string) =>
  z.string({ error: `must be the path of ${what}` }).min(1, `must be the path of ${what}`);

const pin = z
  .string({ error: 'must be a SHA-256 fingerprint in quotes' })
  .refine(
    (text) => readFingerprint(text) !== undefined,
    'must be a SHA-256 fingerprint, 64 hexadecimal digits',
  );

const examplePin =
  '3B:0C:5F:8E:91:2A:D4:67:10:AF:5B:C3:7E:22:98:41:6D:F0:1B:E5:33:9A:C8:54:07:DE:61:BF:2C:75:8A:F9';

const tls = z
  .strictObject(
    {
      ca: file('a PEM file with certificates of authorities')
        .optional()
        .meta({
          description:
            'A PEM file with the authorities that may have issued the certificate of the appliance, instead of those that Node knows.',
          examples: ['/etc/appliance-bot/company-ca.pem'],
        }),
      pins: z
        .array(pin, { error: 'must be a list of SHA-256 fingerprints' })
        .min(1, 'must have at least one fingerprint')
        .optional()
        .meta({
          description:
            'SHA-256 fingerprints of the certificates that are accepted. Without ca, they replace authority, name and dates: for certificates that an appliance has issued itself. With ca, all of it must fit.',
          examples: [[examplePin]],
        }),
      certificate: file('the PEM file with the client certificate')
        .optional()
        .meta({
          description:
            'The PEM file with the client certificate, for an appliance that requires one. Requires key.',
          examples: ['/etc/appliance-bot/appliance-bot.pem'],
        }),
      key: secret('the key of the client certificate')
        .optional()
        .meta({
          description: 'The private key of certificate in PEM format without a passphrase, as a reference.',
          examples: ['${file:/run/secrets/appliance-bot.key}'],
        }),
    },
    { error: 'must be the settings of TLS: ca, pins, certificate and key' },
  )
  .superRefine(together('certificate', 'key'));

const proxy = z
  .strictObject(
    {
      url: z
        .string({ error: 'must be the address of an HTTP proxy' })
        .refine(
          (url) => problemWithProxyAddress(url) === undefined,
          'must be an http or https address without a path. Set its login in user and password',
        )
        .meta({
          description: 'The address of the proxy, with its port.',
          examples: ['http://proxy.example.com:3128'],
        }),
      user: z
        .string({ error: 'must be a user name of the proxy' })
        .regex(/^[^:]+$/, 'must be a user name without a colon')
        .optional()
        .meta({
          description:
            'The user name, if the proxy requires a login (Basic authentication). Requires password.',
          examples: ['appliance-bot'],
        }),
      password: secret('the password of that user')
        .optional()
        .meta({
          description: 'The password of user, as a reference.',
          examples: ['${HQ_PROXY_PASSWORD}'],
        }),
    },
    { error: 'must be the settings of a proxy: url, user and password' },
  )
  .superRefine(together('user', 'password'));

/** The file's settings of one appliance: the client's, except the name, which is its key in the file. */
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
  | 'tls'
  | 'proxy'
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
      'must be an http or https address without a user name or password',
    )
    .refine((url) => problemWithAddress(url) !== 'query', 'must not have a query or a fragment');

const seconds = (most: number) =>
  z
    .number({ error: 'must be a number of seconds' })
    .positive('must be more than 0 seconds')
    .max(most, `must be at most ${most} seconds`);

/** People type it after `--on tag:`, so it is lower case and without spaces. */
const tag = z
  .string({ error: 'must be a tag of lowercase letters, digits and hyphens' })
  .regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'must be a tag of lowercase letters, digits and hyphens');

/** One appliance in the file: the client's settings, and separately the bot's own. */
export interface ApplianceEntry {
  readonly settings: Omit<ConfiguredAppliance, 'name' | keyof ApplianceSecrets>;
  readonly facts: ApplianceFacts;
}

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

/** The settings of one appliance. Secrets are references only, and are resolved separately (`secret.ts`). */
export const appliance = z
  .strictObject(
    {
      url: address('the Web API')
        .refine(
          (url) => !isWebConsole(url),
          'uses port 9000, which is the web console. The Web API uses port 9503 by default',
        )
        .meta({
          description: 'The address of the Web API. Its default port is 9503.',
          examples: ['https://10.20.0.2:9503'],
        }),
      tags: z
        .array(tag, { error: 'must be a list of tags, such as [prod, europe]' })
        .default([])
        .meta({
          description: 'Tags that select several appliances at once, as in --on tag:prod.',
          examples: [['prod', 'europe']],
        }),
      key: secret('the Web API key')
        .optional()
        .meta({
          description:
            'The Web API key, as a reference. It must have at least 8 characters. It is sent only with remote-desktop calls, unless key_everywhere is true.',
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
          description: 'The address of the directory API, if it differs from url.',
          examples: ['https://10.20.0.2:9504'],
        }),
      mirror_url: address('the mirror service')
        .optional()
        .meta({
          description: 'The address of the mirror service.',
          examples: ['http://10.20.0.2:9090'],
        }),
      mirror_console_url: address('the mirror console')
        .optional()
        .meta({
          description: 'The address of the mirror console. Default: port 8081 on the host of mirror_url.',
          examples: ['http://10.20.0.2:8081'],
        }),
      mirror_console_user: z
        .string({ error: 'must be the name of a user of the mirror console' })
        .min(1, 'must be the name of a user of the mirror console')
        .optional()
        .meta({
          description:
            'The user name for the mirror console, if it requires a login. Requires mirror_console_password.',
          examples: ['appliance-bot'],
        }),
      mirror_console_password: secret('the password of that user')
        .optional()
        .meta({
          description: 'The password of mirror_console_user, as a reference.',
          examples: ['${HQ_MIRROR_CONSOLE_PASSWORD}'],
        }),
      tls: tls.optional().meta({
        description:
          'How connections to the appliance by https are secured. Default: its certificate must come from an authority that Node knows (NODE_EXTRA_CA_CERTS adds some).',
        examples: [{ ca: '/etc/appliance-bot/company-ca.pem' }],
      }),
      proxy: proxy.optional().meta({
        description: 'The HTTP proxy through which the appliance is reached, by CONNECT. Default: none.',
        examples: [{ url: 'http://proxy.example.com:3128' }],
      }),
      release: z
        .string({ error: 'must be a release in quotes' })
        .refine(
          (text) => parseReleaseName(text) !== undefined,
          'must be written like "4.50 SP4" or "4.50 SP4 hotfix 20250525-12"',
        )
        .optional()
        .meta({
          description: 'The installed release, for an appliance that does not report it in full.',
          examples: ['4.50 SP4 hotfix 20250525-12'],
        }),
      methods: methods.optional().meta({
        description:
          'HTTP methods of operations, where this appliance expects others than documented. docs/api.md lists them; undocumented ones are in brackets.',
        examples: [{ 'acl.compile': 'POST', 'sqldb.deleteDatabase': 'GET' }],
      }),
      shell_password: secret('the shell password')
        .optional()
        .meta({
          description:
            'The password that allows uploaded shell packages to run, as a reference. The bot writes it into the packages.',
          examples: ['${HQ_SHELL_PASSWORD}'],
        }),
      timeouts: z
        .strictObject(
          {
            connect: seconds(600).meta({ description: 'Time to connect.', examples: [3] }),
            read: seconds(600).meta({ description: 'Longest silence after a request.', examples: [10] }),
            whole: seconds(600).meta({
              description: 'Total time, including retries.',
              examples: [30],
            }),
            long: seconds(7_200).meta({
              description: 'Total time for requests that take minutes, such as an installation.',
              examples: [900],
            }),
          },
          { error: 'must be the settings of the timeouts' },
        )
        .partial()
        .optional()
        .meta({
          description: 'Timeouts, in seconds.',
          examples: [{ connect: 3, read: 10, whole: 30, long: 900 }],
        }),
    },
    { error: 'must be the settings of one appliance' },
  )
  .superRefine(together('mirror_console_user', 'mirror_console_password'))
  .superRefine((given, context) => {
    const urls = [given.url, given.directory_url, given.mirror_url, given.mirror_console_url];
    if (given.tls === undefined || urls.some((url) => url?.startsWith('https:'))) return;
    const message = 'has no effect, because no address of this appliance begins with https';
    context.addIssue({ code: 'custom', path: ['tls'], message });
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
