import type { Endpoint } from '../endpoint.ts';
import { DefectiveBuild, Empty, NotJson, NotServed, Refused, UnexpectedReply } from '../errors.ts';
import { keysOf } from './bounds.ts';
import { bodyIn } from './documents.ts';
import { longOnes, withoutEchoes } from './echoes.ts';
import { type Envelope, isRecord, openEnvelope } from './envelope.ts';
import { excerptOf, isPage, withoutSecrets } from './excerpt.ts';
import { readExtent, withExtent } from './extent.ts';
import { obstacleAt, obstacleOf } from './obstacles.ts';
import { Refusal } from './reply.ts';
import { Misfit } from './shape.ts';
import { wordsOf } from './words.ts';

/**
 * From the text of an answer to the value of the call.
 * @param asked the checked arguments of the call
 * @param secrets texts that must not be quoted back
 * @throws ApplianceError when there is no such value, with what the appliance answered
 */
export function understand<Value>(
  operation: string,
  endpoint: Endpoint<object, Value>,
  text: string,
  asked: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Value {
  const answer = open(text.replace(/^\uFEFF/, '').trim());
  const obstacle = obstacleAt(endpoint.service, obstacleOf(answer));
  if (obstacle !== undefined && !endpoint.tellsOf.includes(obstacle)) {
    throw new NotServed(obstacle, excerptOf(answer.error || answer.info, secrets), circumstances());
  }
  if (answer.status === false && !endpoint.falseIsAnswer) throw refused();
  // A question with an Error text (§7.2) and no Status true is not answered, whatever else stands there: an empty list
  // would pass for a proof that there is nothing.
  if (endpoint.effect === 'read' && answer.error !== '' && answer.status === undefined) throw refused();
  try {
    const value = withoutEchoes(endpoint.reply.read(answer, asked), text, secrets);
    if (Array.isArray(value)) withExtent(value, readExtent(operation, answer.body, value.length));
    return value;
  } catch (error) {
    if (error instanceof Refusal) throw refused(error.log);
    throw unexpected(error);
  }

  function open(json: string): Envelope {
    // An order may be carried out without a word; a question has not been answered.
    if (json === '' && endpoint.effect === 'read') throw new Empty({ operation, sent: 'yes' });
    let body: unknown;
    try {
      body = json === '' ? undefined : bodyIn(json);
    } catch (error) {
      if (error instanceof Misfit) throw unexpected(error);
      throw new NotJson(circumstances(), isPage(json));
    }
    if (endpoint.effect === 'read' && isRecord(body) && Object.keys(body).length === 0) {
      throw new Empty({ operation, sent: 'yes' });
    }
    try {
      if (isRecord(body)) keysOf(body);
      const opened = openEnvelope(body);
      // A reader may cut these short, and half a secret would not be found any more.
      const hide = (said: string) => withoutSecrets(said, longOnes(secrets));
      return { ...opened, info: hide(opened.info), error: hide(opened.error) };
    } catch (error) {
      // More fields than are looked through, or nested deeper than any text can be made of.
      throw unexpected(error);
    }
  }

  function refused(log?: readonly string[]) {
    const { knownDefect } = endpoint;
    if (knownDefect?.says.test(`${answer.error} ${answer.info}`)) {
      return new DefectiveBuild(knownDefect, circumstances());
    }
    return new Refused(
      excerptOf(answer.error || answer.info, secrets),
      circumstances(),
      log?.map((line) => withoutSecrets(line, secrets)),
    );
  }

  function unexpected(error: unknown) {
    // A reader that stumbles over something it was not made for has not understood the answer either.
    const misfit = error instanceof Misfit ? error : new Misfit('', String(error));
    // Both may be spelt with the appliance's own words, so they are cleaned like everything else it said.
    const [at, problem] = [excerptOf(misfit.at, secrets), excerptOf(misfit.problem, secrets)];
    return new UnexpectedReply(at, problem, circumstances(), misfit.tooMuch);
  }

  function circumstances() {
    return {
      operation,
      sent: 'yes',
      excerpt: excerptOf(text, secrets),
      words: wordsOf(text, secrets),
    } as const;
  }
}
