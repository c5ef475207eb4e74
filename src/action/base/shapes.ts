/** What replies and messages are made of, as it is read from the journal. */

import { z } from 'zod';
import { partKinds, textShape } from '../../handlers/reply.ts';
import { optional } from '../../journal/codec.ts';
import { type AskedIn, type Attachment, type Button, presses, type Said, type SaidPart } from './chat.ts';

const buttonShape = z.object({
  press: z.enum(presses),
  label: z.string(),
  token: z.string(),
  detail: optional(z.string()),
  style: optional(z.enum(['primary', 'danger'])),
}) satisfies z.ZodType<Button>;

export const partShape: z.ZodType<SaidPart> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('buttons'), buttons: z.array(buttonShape), beside: optional(textShape) }),
  ...Object.values(partKinds).map(({ shape }) => shape),
]);

const fileShape = z.object({
  name: z.string(),
  title: z.string(),
  content: z.union([z.string(), partKinds.chart.shape]),
  words: optional(textShape),
}) satisfies z.ZodType<Attachment>;

export const saidShape: z.ZodType<Said> = z.object({
  headline: textShape,
  details: optional(z.array(partShape)),
  next: optional(z.array(z.lazy(() => saidShape))),
  files: optional(z.array(fileShape)),
});

export const askedInShape = z.object({
  below: z.string().optional(),
  direct: z.string().optional(),
}) satisfies z.ZodType<AskedIn>;

/** What was given for each slot: words, and files. */
export const typedShape = z.record(
  z.string(),
  z.array(z.union([z.string(), z.object({ id: z.string(), name: z.string(), size: z.number() })])),
);
