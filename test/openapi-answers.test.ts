import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Fault,
  type SimulatedApplianceSettings,
  startSimulatedAppliance,
} from '../sandbox/appliance/index.ts';
import { isApplianceFailure, type OperationName, operations } from '../src/api/index.ts';
import { problemWith } from './openapi.ts';
import { call, connect, key } from './operations.ts';
import { type RecordedAnswer, recorder } from './recorder.ts';

/**
 * The simulated appliance was written apart from the declarations that docs/appliance.openapi.json is made of. Here what
 * it sends over real HTTP is held against the document.
 */
async function recorded(settings: SimulatedApplianceSettings) {
  const simulated = await startSimulatedAppliance(settings);
  const { answers, urls, close } = await recorder(simulated.urls);
  const appliance = connect({ ...simulated, urls });
  return {
    simulated,
    answers,
    /** The last answer to this operation. */
    async answerTo(name: OperationName): Promise<RecordedAnswer> {
      answers.length = 0;
      // A refusal is thrown by the client, too.
      await call(name, simulated, appliance).catch((error: unknown) => {
        if (!isApplianceFailure(error)) throw error;
      });
      const answer = answers.at(-1);
      if (answer === undefined) throw new Error(`Nothing was answered to ${name}.`);
      return answer;
    },
    async stop() {
      await appliance.close();
      close();
      await simulated.close();
    },
  };
}

let it: Awaited<ReturnType<typeof recorded>>;
beforeAll(async () => {
  it = await recorded({ key });
});
beforeEach(() => it.simulated.reset());
afterAll(() => it.stop());

const all = [...operations].map(([name, { method, methodShown, path }]) => ({
  name,
  asFaultsNameIt: `${methodShown ? method : '-'} ${path}`,
}));

const reason = 'The database is locked.';

/** One of every area. */
const some = [...Map.groupBy(all, ({ name }) => name.split('.')[0]).values()].flatMap((own) =>
  own.slice(0, 1),
);

describe('the simulated appliance answers by the OpenAPI document:', () => {
  test.each(all)('$name: answer and refusal', async ({ name, asFaultsNameIt }) => {
    it.simulated.faults.set(asFaultsNameIt, { kind: 'refuse', error: reason });
    const refusal = await it.answerTo(name);
    expect(refusal).toMatchObject({ status: 200, body: expect.stringContaining(reason) });
    // The refused order was not carried out, so it can succeed now.
    it.simulated.faults.clear();
    const answer = await it.answerTo(name);
    expect(answer).toMatchObject({ status: 200, body: expect.not.stringContaining(reason) });
    expect([problemWith(name, refusal), problemWith(name, answer)]).toEqual(['', '']);
  });

  test.each<Fault>([
    { kind: 'refuse', error: reason, key: 'Info' },
    { kind: 'refuse', error: reason, key: 'info' },
    { kind: 'licence' },
    { kind: 'status', status: 404 },
    { kind: 'status', status: 500 },
  ])('reports failures in other words everywhere the same: %j', async (fault) => {
    const problems: string[] = [];
    for (const { name, asFaultsNameIt } of some) {
      it.simulated.faults.set(asFaultsNameIt, fault);
      const answer = await it.answerTo(name);
      expect(answer.status).toBe(fault.kind === 'status' ? fault.status : 200);
      problems.push(problemWith(name, answer));
    }
    expect(problems).toEqual(some.map(() => ''));
  });

  test.each(['document', 'field-v1'] as const)(
    'the gateway refuses a client without a key, also as of %s',
    async (generation) => {
      const strict = await recorded({ key: 'another key', generation });
      onTestFinished(strict.stop);
      const answer = await strict.answerTo('rdp.listSessions');
      expect(answer.status).toBe(403);
      expect(problemWith('rdp.listSessions', answer)).toBe('');
    },
  );

  test('a method that is not allowed is refused, as by appliances in the field', async () => {
    const field = await recorded({ key, generation: 'field-v1' });
    onTestFinished(field.stop);
    const answer = await field.answerTo('sqldb.postUser');
    expect(answer.status).toBe(405);
    expect(problemWith('sqldb.postUser', answer)).toBe('');
  });

  test('an answer that breaks the document is found', () => {
    const sent = (body: unknown, status = 200) =>
      problemWith('acl.listObjects', { status, type: 'application/json', body: JSON.stringify(body) });
    expect(sent({ Status: true, Objects: [{ ID: 3 }] })).toBe('');
    expect(sent({ Status: true, Objects: [{ GroupName: 'no ID' }] })).toContain('ID');
    expect(sent({ Status: true })).toContain('Objects');
    expect(sent({ Status: true, Objects: [] }, 201)).toContain('status 201');
  });
});
