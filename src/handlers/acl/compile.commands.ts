import { change } from '../declare.ts';
import { enumerate, plural, say, strong } from '../reply.ts';
import { digestOf, ready } from '../results.ts';
import { acting } from '../wording/acting.ts';

export const compile = change({
  ...acting('Compile', 'the ACLs'),
  phrase: 'acl compile',
  says: `
    compile acl / apply the acl changes / activate acl / make acl changes live / reload acl rules /
    acl rules not applied / rebuild the acls / push the acl changes / my acl change has no effect /
    the acl is not live yet / deploy acls / acls changed but nothing happens / acl changes do not work /
    new acl rules are not used / acl compile please
  `,
  summary: 'Compile the ACLs so that changes take effect in the proxy',
  effect: 'write',
  preview: async ({ appliance, pendingChanges }) => {
    const lines = (await pendingChanges()).filter(({ what }) => what === 'acl').map(({ line }) => line);
    return ready({
      question: say`Compile the ACLs of ${strong(appliance.name)}?`,
      fields: {
        'Takes effect':
          lines.length === 0
            ? say`changes made elsewhere; no change made with Appliance Bot is pending`
            : say`${plural(lines.length, 'change')} made with Appliance Bot (${enumerate(lines)}), and changes made elsewhere`,
      },
      fingerprint: { lines: digestOf(lines) },
    });
  },
  run: ({ appliance }) => appliance.acl.compile(),
  verify: { notCheckable: 'the API does not report which ACLs the proxy uses' },
  satisfies: () => ['acl'],
});
