import { z } from 'zod';

const channel = z.string().min(1);

/**
 * The steps of workflows that the bot offers, by what Slack calls them, and what each is given: manifest.yml says the same to those
 * who build workflows.
 */
export const steps = {
  look_up_website: z.object({ website: z.string().min(1), channel }),
  ask_for_change: z.object({ change: z.string().min(1), reason: z.string().default(''), channel }),
} as const;

export type StepName = keyof typeof steps;
export const stepNames = Object.keys(steps) as readonly StepName[];

/** What each gives back: a sentence, and what people call the action (`show`). */
export const outputs = ['outcome', 'action'] as const;

/** What a step of a workflow hears at its end. */
export type StepEnd =
  | { readonly isDone: true; readonly outputs: Readonly<Record<string, string>> }
  /** The workflow goes no further, and whoever has started it reads why. */
  | { readonly isDone: false; readonly why: string };

/** Ends a step, by what the chat calls its run. False when the chat did not take it, and may later. */
export type EndStep = (execution: string, end: StepEnd) => Promise<boolean>;
