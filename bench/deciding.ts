import { isDeepStrictEqual } from 'node:util';
import { subjectOf } from '../src/action/authority/authority.ts';
import { type Decision, decide } from '../src/auth/decide.ts';
import type { Identity, RequestedCommand } from '../src/auth/request.ts';
import { commands } from '../src/handlers/registry.ts';
import { seeded } from '../test/seeded.ts';
import { alternate } from './duel.ts';
import { percentile } from './figures.ts';
import { type LargePolicy, largePolicy, type Person, type Size, scan } from './large-policy.ts';
import { type Measurement, type Row, row } from './measurement.ts';

export interface DecidingPlan extends Size {
  readonly rounds: number;
  readonly warmUp: number;
  /** In each round: so many that are allowed, and as many that are refused. */
  readonly questions: number;
}

const plan: DecidingPlan = {
  channels: 500,
  groups: 200,
  people: 20_000,
  rounds: 20,
  warmUp: 3,
  questions: 1_000,
};

/** Whether somebody may run a command in a channel, by the policy of a large house. */
export const deciding: Measurement = {
  name: 'deciding',
  method: `one of ${plan.people.toLocaleString('en-GB')} people asks for a command in one of ${plan.channels} channels, where roles are held by name, by ${plan.groups} user groups (known already), by everyone and everywhere; a refusal says who could and in which channels this person could; each of ${plan.questions} decisions of either kind timed by itself, ${plan.rounds} rounds; against the same answers found by going through the lists as they stand in the file`,
  measure: () => measureDeciding(plan),
};

export async function measureDeciding({
  rounds,
  warmUp,
  questions,
  ...size
}: DecidingPlan): Promise<readonly Row[]> {
  const random = seeded(500);
  const house = largePolicy(size, random);
  const asked = ask(house, questions, random);
  const measured = async (what: string, those: readonly Question[]): Promise<readonly Row[]> => {
    const ours = () => timed(those, (question) => decided(house, question));
    const scanned = () =>
      timed(those, ({ subject, person, channel }) => scan(house.written, subject, person, channel));
    await alternate(warmUp, ours, scanned);
    const { one, other } = await alternate(rounds, ours, scanned);
    const rowOf = (figure: string, share: number) =>
      row(
        `Deciding, ${what}: ${figure}`,
        'µs',
        percentile(one.flat(), share),
        { whom: 'the lists of the file, gone through', value: percentile(other.flat(), share) },
        { most: 50 },
      );
    return [rowOf('median', 50), rowOf('99 of 100 within', 99)];
  };
  return [
    ...(await measured('allowed', asked.allowed)),
    ...(await measured('refused with the way out', asked.refused)),
  ];
}

interface Question {
  readonly subject: RequestedCommand;
  readonly person: Person;
  /** The same person, as they are known once they were looked up. */
  readonly identity: Identity;
  readonly channel: string;
}

const decided = ({ policy }: LargePolicy, { subject, identity, channel }: Question): Decision =>
  decide({ who: identity, where: { channel, place: 'own' }, what: subject, access: 'run' }, policy);

/** As many of each kind as are wanted: anybody asks for anything anywhere, or in the channel that names them. */
function ask(house: LargePolicy, wanted: number, random: () => number) {
  const index = (length: number) => Math.floor(random() * length);
  const channels = Object.keys(house.policy.channels);
  const allowed: Question[] = [];
  const refused: Question[] = [];
  while (allowed.length < wanted || refused.length < wanted) {
    const number = index(house.people.length);
    const own = Math.floor((number * channels.length) / house.people.length);
    const person = house.people[number];
    const channel = channels[random() < 0.5 ? own : index(channels.length)];
    const command = commands[index(commands.length)];
    if (person === undefined || channel === undefined || command === undefined) continue;
    const subject = subjectOf(command, { category: 252 }, { name: 'hq', tags: [] }, 'forGood');
    // Commands that are open to everybody, or to self-service, are in no list.
    if (subject.open || subject.selfService !== false) continue;
    const identity: Identity = {
      kind: 'member',
      id: person.id,
      human: person.id,
      groups: new Set(person.groups),
    };
    const question = { subject, person, identity, channel };
    check(house, question);
    const kind = decided(house, question).allow ? allowed : refused;
    if (kind.length < wanted) kind.push(question);
  }
  return { allowed, refused };
}

/** @throws Error when the two do not give the same answer: then one of them measures something else */
function check(house: LargePolicy, question: Question): void {
  const { subject, person, channel } = question;
  const found = scan(house.written, subject, person, channel);
  const scanned = {
    ...found,
    needed: found.needed.map(({ role, holders }) => ({ role, holders: new Set(holders) })),
  };
  const decision = decided(house, question);
  const denial = decision.allow ? undefined : decision.denial;
  const ours = {
    allow: decision.allow,
    needed: denial !== undefined && 'needed' in denial ? denial.needed : [],
    elsewhere: denial !== undefined && 'elsewhere' in denial ? denial.elsewhere : [],
  };
  if (!isDeepStrictEqual(ours, scanned))
    throw new Error(`"${subject.name}" for ${person.id} in ${channel} is answered in two ways.`);
}

/** Microseconds of each. */
async function timed(
  questions: readonly Question[],
  work: (question: Question) => unknown,
): Promise<readonly number[]> {
  return questions.map((question) => {
    const began = performance.now();
    work(question);
    return (performance.now() - began) * 1_000;
  });
}
