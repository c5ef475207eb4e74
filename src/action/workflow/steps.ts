import type { z } from 'zod';
import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { type Asked, reasonIn } from '../../handlers/language/asked.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import type { Match } from '../../handlers/language/match.ts';
import { person, readableText, say, type Text } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import { underWay } from '../../journal/actions/states.ts';
import type { Action, OpenStep } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Invocation } from '../base/chat.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { explain, type Fault, isDenial, journalFault } from '../wording/faults.ts';
import { type EndStep, type StepEnd, type StepName, steps } from './declared.ts';

/** A step of a workflow: what it was given, and by which Slack knows this run of it. */
export interface Step {
  readonly name: StepName;
  readonly execution: string;
  readonly team: string;
  /** The bot itself. */
  readonly bot: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * Steps of workflows. Who has started one nobody knows, and what it is given anybody may have put there: so it is asked in the bot's
 * own name, by a role that the policy gives the bot by name, and changes nothing without somebody's approval. Its end is kept in the
 * journal until Slack has taken it.
 */
export interface Steps {
  /** Written down before it is acknowledged: after that, Slack does not send it again. */
  readonly run: (step: Step, acknowledge: () => Promise<void>) => Promise<void>;
  /** The bot takes nothing any more. */
  readonly turnAway: (step: Step, acknowledge: () => Promise<void>) => Promise<void>;
  /** Tells the steps whose outcome is known. */
  readonly tick: () => Promise<void>;
}

interface StepsParts extends Parts {
  readonly endStep: EndStep;
  readonly after: After;
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
}

/** What Slack did not take is told again after so many milliseconds. */
const tryAgainAfter = 20_000;

export function createSteps(parts: StepsParts): Steps {
  const { journal, chat, commandByPhrase, endStep, now } = parts;
  const turns = createTurns(parts.after);

  return {
    run: async (step, acknowledge) => {
      const { execution } = step;
      try {
        const isNew = await journal.takeStep(execution);
        await acknowledge();
        if (isNew) await answer(step);
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        await acknowledge();
        await endStep(execution, failedBy(journalFault(error)));
      }
    },

    turnAway: async ({ execution }, acknowledge) => {
      await acknowledge();
      await endStep(execution, failedBy({ code: 'step_stopping' }));
    },

    tick,
  };

  async function answer(step: Step): Promise<void> {
    const asked = await meant(step);
    if ('isDone' in asked) return end(step.execution, asked);
    const turn = await turns.take(asked.channel, async () => {
      try {
        await parts.ask(asked);
      } finally {
        await journal.stepAsked(step.execution);
      }
    });
    if (turn !== 'over') return end(step.execution, failedBy(noTurn(turn, asked.channel)));
    await tick();
  }

  async function tick(): Promise<void> {
    if (chat.isAway()) return;
    const ended = await journal.claimEndedSteps();
    await Promise.all(ended.map(tell));
  }

  async function tell({ execution, action: id }: OpenStep): Promise<void> {
    const action = id === undefined ? undefined : await journal.byId(id);
    if (action === undefined) return end(execution, failedBy({ code: 'step_lost' }));
    // A replica died right after it had asked: what it asked for goes on.
    if (underWay.has(action.state)) return journal.stepAsked(execution);
    return end(execution, endOf(action));
  }

  async function end(execution: string, told: StepEnd): Promise<void> {
    if (await endStep(execution, told)) return journal.stepTold(execution);
    return journal.tellStepLater(execution, now() + tryAgainAfter);
  }

  /** What the step asks for; or its end, where that is nothing that can be asked. */
  async function meant(step: Step): Promise<Invocation | StepEnd> {
    const { execution, team, bot } = step;
    const from = { team, person: bot, delivery: execution, unattended: true } as const;
    switch (step.name) {
      case 'look_up_website': {
        const given = steps.look_up_website.safeParse(step.inputs);
        if (!given.success) return failedBy(incomplete(given.error));
        const { website, channel } = given.data;
        const asked: Asked = { command: commandOf('why <domain>'), typed: { domain: [website.trim()] } };
        return { ...from, channel, line: `why ${website}`, asked };
      }
      case 'ask_for_change': {
        const given = steps.ask_for_change.safeParse(step.inputs);
        if (!given.success) return failedBy(incomplete(given.error));
        const { change: line, reason, channel } = given.data;
        const found = await parts.read(line, { person: bot, channel });
        const invocation = { ...from, channel, line, accessRequest: true } as const;
        if (found.kind !== 'command' && found.kind !== 'missing') return invocation;
        if (found.command.kind !== 'change' || found.dryRun)
          return failedBy({
            code:
              found.command.effect === 'read' || found.dryRun ? 'step_changes_nothing' : 'step_for_people',
            line,
          });
        return { ...invocation, asked: withReason(found, reason.trim()) };
      }
    }
  }

  function commandOf(phrase: string): AnyCommand {
    const command = commandByPhrase.get(phrase);
    if (command === undefined) throw new Error(`There is no command ${phrase}`);
    return command;
  }
}

/** What is typed in the line itself counts. */
function withReason({ command, typed, ...manner }: Asked, reason: string): Asked {
  const asked = { ...mannerOf(manner), command, typed };
  if (reason === '' || reasonIn(asked) !== undefined) return asked;
  return command.args.reason === undefined
    ? { ...asked, reason }
    : { ...asked, typed: { ...typed, reason: [reason] } };
}

const noTurn = (turn: NoTurn, channel: string): Fault =>
  turn === 'too_many'
    ? { code: 'step_too_many', most: turnLimits.inChannel, channel }
    : { code: 'step_waited' };

function endOf({ id, state, outcome, person: bot }: Action): StepEnd {
  // Outside of the bot nothing brings its moments back.
  const says = readableText(recalled(outcome?.says ?? ''));
  if (state === 'done') return { isDone: true, outputs: { outcome: says, action: referenceOf(id) } };
  // That the bot lacks the role is read by whoever could give it one; what is wrong with the line is not about the bot.
  const isAboutBot = state === 'refused' && isDenial(outcome?.code ?? '');
  return failed(isAboutBot ? say`${says} Workflow steps run as ${person(bot)}.` : [says]);
}

const failed = (why: Text): StepEnd => ({ isDone: false, why: readableText(why) });

const failedBy = (fault: Fault): StepEnd => failed(explain(fault).headline);

const incomplete = (error: z.ZodError): Fault => ({
  code: 'step_incomplete',
  missing: [...new Set(error.issues.map(({ path }) => String(path[0])))],
});

/**
 * Steps of all workflows are asked in one name, so no limit of a person is theirs. A few run at a time, and the rest wait: channels
 * take turns, so that what piles up in one delays no other.
 */
interface Turns {
  /** Runs it when it is its turn; or says why it never is. */
  readonly take: (channel: string, task: () => Promise<void>) => Promise<'over' | NoTurn>;
}

/** Too many wait already in that channel, or everywhere; or it has waited too long. */
type NoTurn = 'too_many' | 'too_late';

/**
 * Slack itself waits for a step as long as it takes (a slow approval is one). Somebody has started it all the same: what was not begun
 * within five minutes is not waited for any more.
 */
export const turnLimits = { atOnce: 5, inChannel: 100, inAll: 1_000, milliseconds: 5 * 60_000 };

export function createTurns(after: After): Turns {
  const { acquire, waiting } = createSemaphore(turnLimits.atOnce, after);

  return {
    take: async (channel, task) => {
      const all = waiting();
      const there = all.filter(({ person }) => person === channel);
      if (there.length >= turnLimits.inChannel || all.length >= turnLimits.inAll) return 'too_many';
      const end = await acquire('', { person: channel, priority: 'low' }, turnLimits.milliseconds);
      if (end === undefined) return 'too_late';
      try {
        await task();
        return 'over';
      } finally {
        end();
      }
    },
  };
}
