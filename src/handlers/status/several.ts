import type { ApplianceReply } from '../command.ts';
import { plural, say, strong, type Text } from '../reply.ts';
import { gravities, gravityOf } from './finding.ts';

/** More in one line would hide the first. */
const mostTold = 3;

/** One line on several appliances: that all are well, or which of them are not, the worst first. */
export function summaryOfSeveral(answers: readonly ApplianceReply[], failed: number): Text {
  const troubled = answers
    .map(({ appliance, reply }) => {
      const words = reply.brief ?? reply.headline;
      return { appliance, words, gravity: gravities.indexOf(gravityOf(words)) };
    })
    .filter(({ gravity }) => gravity < gravities.indexOf('notice'))
    .toSorted((one, other) => one.gravity - other.gravity);
  const all = plural(answers.length + failed, 'appliance');
  const inNeed = troubled.length + failed;
  if (inNeed === 0) return say`✅ ${strong('No problems found')} on ${strong(all)}`;
  const told = troubled.slice(0, mostTold).map(({ appliance, words }) => say`${strong(appliance)}: ${words}`);
  const more = troubled.length - told.length;
  const parts = [
    ...told,
    ...(more === 0 ? [] : [say`${more} more in the table`]),
    ...(failed === 0 ? [] : [say`${failed} did not answer`]),
  ];
  return say`${strong(`${inNeed} of ${all}`)} ${inNeed === 1 ? 'needs' : 'need'} attention: ${parts.flatMap(
    (part, index) => (index === 0 ? part : ['; ', ...part]),
  )}`;
}
