import { z } from 'zod';
import { referenceShape } from '../secret.ts';
import { isThisMachine } from '../slack-address.ts';

const urlWanted = 'must be an https address without a user name, a password or a fragment';

/** What leaves this machine is encrypted: it tells who changes what. */
function isReceiver(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
}

const secret = z
  .string({ error: 'must be a reference to the secret' })
  .regex(
    referenceShape,
    'must be a reference, ${NAME} or ${file:/run/secrets/name}. Keep secrets out of this file',
  );

export const webhook = z.strictObject(
  {
    url: z
      .string({ error: urlWanted })
      .refine(isReceiver, urlWanted)
      .meta({
        description: 'The https address that is told of changes.',
        examples: ['https://itsm.example.com/hooks/appliance-bot'],
      }),
    secret: secret.meta({
      description:
        'The secret that deliveries are signed with, as a reference: whsec_ and 24 to 64 random bytes in base64.',
      examples: ['${WEBHOOK_SECRET}'],
    }),
    previous_secret: secret.optional().meta({
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
