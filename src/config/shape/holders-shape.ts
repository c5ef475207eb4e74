import { z } from 'zod';
import { everyone, type Holders } from '../../auth/policy.ts';

/** A channel, a private channel or a direct message. Slack IDs never change; names do, and anyone may take one. */
export const channelIdShape = /^[CGD][A-Z0-9]{2,}$/;

const holderWanted =
  'must be the Slack ID of a person (U…) or of a user group (S…), in capital letters, or everyone';

/** `U…` and `W…` are people, `S…` is a user group. */
export const holders = z
  .union(
    [
      z.literal(everyone),
      z.array(z.string({ error: holderWanted }).regex(/^(everyone|[UWS][A-Z0-9]{2,})$/, holderWanted)),
    ],
    { error: 'must be everyone or a list of Slack IDs, such as [U0ALICE001, S0HELPDESK]' },
  )
  .transform((given): Holders => new Set(given === everyone ? [everyone] : given));
