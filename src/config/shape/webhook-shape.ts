import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { isThisMachine } from '../slack-address.ts';
import { secret } from './secret-shape.ts';

const urlWanted = 'must be an https address without a user name, a password or a fragment';

/** What leaves this machine is encrypted: it tells who changes what. */
function isReceiver(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
}

/** Where clouds keep the secrets of their machines, and nobody wants to be told of changes. */
const ofTheLink = new BlockList();
ofTheLink.addSubnet('169.254.0.0', 16, 'ipv4');
ofTheLink.addSubnet('::ffff:169.254.0.0', 112, 'ipv6');
ofTheLink.addSubnet('fe80::', 10, 'ipv6');
ofTheLink.addAddress('fd00:ec2::254', 'ipv6');

function isMachinesOwn(text: string): boolean {
  const hostname = URL.parse(text)?.hostname.replaceAll(/[[\]]/g, '') ?? '';
  const family = isIP(hostname);
  if (family === 0) return /^metadata\.google\.internal\.?$/.test(hostname);
  return ofTheLink.check(hostname, family === 6 ? 'ipv6' : 'ipv4');
}

const signing = secret('the secret');

export const webhook = z.strictObject(
  {
    url: z
      .string({ error: urlWanted })
      .refine(isReceiver, urlWanted)
      .refine(
        (text) => !isMachinesOwn(text),
        'is an address at which a cloud keeps the secrets of its machines',
      )
      .meta({
        description: 'The https address that is told of changes.',
        examples: ['https://itsm.example.com/hooks/appliance-bot'],
      }),
    secret: signing.meta({
      description:
        'The secret that deliveries are signed with, as a reference: whsec_ and 24 to 64 random bytes in base64.',
      examples: ['${WEBHOOK_SECRET}'],
    }),
    previous_secret: signing.optional().meta({
      description:
        'The secret before that. While it is set, every delivery is signed with both, so that receivers can change over.',
      examples: ['${WEBHOOK_PREVIOUS_SECRET}'],
    }),
    changes: z
      .enum(['ticketed', 'all'], { error: 'must be ticketed or all' })
      .default('ticketed')
      .meta({
        description: 'Which changes it is told of: those with a ticket, or all.',
        examples: ['all'],
      }),
  },
  { error: 'must be the settings of the webhook' },
);
