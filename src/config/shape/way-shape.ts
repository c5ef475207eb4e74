import { z } from 'zod';
import { problemWithProxyAddress, readFingerprint } from '../../api/index.ts';
import { secret, together } from './secret-shape.ts';

/** How an appliance is reached: by what its certificate is known, what is shown to it, and through which proxy. */

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

export const tls = z
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

export const proxy = z
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
