import { lookup } from '../declare.ts';
import { type Emergency, emergencyIn, endButton, leaveButton } from '../directory/authentication.ts';
import { type Part, say, tableOf } from '../reply.ts';
import { briefly, byGravity, isWell, markOf, summary } from './finding.ts';
import { summaryOfSeveral } from './several.ts';
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
    // One line says it all; of many appliances, only those in trouble take room below.
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

/** The button that ends an emergency. */
function wayOut(emergency: Emergency, appliance: string): readonly Part[] {
  if (emergency === 'on') return [endButton(appliance)];
  return emergency === 'global' ? [leaveButton(appliance)] : [];
}
