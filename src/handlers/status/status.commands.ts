import type { ApplianceReply } from '../command.ts';
import { lookup } from '../declare.ts';
import { type Emergency, emergencyIn, endButton, leaveButton } from '../directory/authentication.ts';
import { type Part, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { briefly, byGravity, gravities, gravityOf, isWell, markOf, summary } from './finding.ts';
import { healthOf } from './status.ts';

export const status = lookup({
  phrase: 'status',
  byNameAlone: true,
  says: `
    is everything ok / how is the appliance / health check / any problems / overall status / what is wrong /
    is it healthy / is something broken / how are you / everything fine / internet is down /
    nobody can surf / proxy down / no internet / nothing works / what is broken / is the appliance up /
    users complain / overview / dashboard / is there an outage / everything ok / all good /
    is everything up / is anything on fire / anything wrong / anything broken / how are things /
    how is it going / system health / state of the appliance / is the internet down / internet not working /
    no one can surf / is the box alive / is the appliance ok / what is down / is there a problem /
    are there problems / are there alerts / any alarms / what is going on / general status /
    short health check / quick check / is the proxy down / is all running / alles ok / something is wrong /
    web access is broken / no web access / fix it / how long has it been running / uptime / any alerts /
    anything red / all green / is the appliance slow / cpu usage / how busy is the appliance /
    memory usage / load of the appliance / is the disk full / disk usage / everything ok tonight /
    are we down / is it us / everything is slow / the internet is slow / quick health check /
    give me an overview / morning check / internet down / nobody has internet / the internet does not work /
    u alive / you alive / alive / is the box up / box down / how is it doing / is it up / is it alive /
    how much disk is left / disk left / cpu load / how busy is it / how is it feeling / it does not work /
    nothing works any more / something is broken / status of all boxes / are all boxes fine /
    load of the box / is the system up / are we up / is everything up at the branch
  `,
  also: ['appliance status'],
  summary: 'Show appliance health, problems first',
  answer: async (context) => {
    const { readings, findings } = await healthOf(context);
    const { appliance } = context;
    const headline = summary(findings);
    // For one appliance the line says everything. For many, only those with problems get details.
    const brief = briefly(findings);
    if (isWell(findings)) return { headline, brief };
    return {
      headline,
      brief,
      details: [
        ...tableOf(byGravity(findings), {
          Area: (one) => say`${markOf(one)} ${one.area}`,
          State: (one) => one.says,
        }),
        ...wayOut(emergencyIn(readings), appliance.name),
      ],
    };
  },
  several: summaryOfSeveral,
});

function wayOut(emergency: Emergency, appliance: string): readonly Part[] {
  if (emergency === 'on') return [endButton(appliance)];
  return emergency === 'global' ? [leaveButton(appliance)] : [];
}

/** More appliances in a line would hide the first. */
const mostTold = 3;

/** One line about several appliances: all healthy, or the problems, worst first. */
function summaryOfSeveral(answers: readonly ApplianceReply[], failed: number): Text {
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
