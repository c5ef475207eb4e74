import { change } from '../declare.ts';
import { digestOf } from '../digest.ts';
import { enumerate, plural, say, strong } from '../reply.ts';
import { ready } from '../results.ts';

export const compile = change({
  phrase: 'acl compile',
  says: `
    compile acl / apply the acl changes / activate acl / make acl changes live / reload acl rules /
    acl rules not applied / rebuild the acls / push the acl changes / my acl change has no effect /
    the acl is not live yet / deploy acls
  `,
  summary: 'Compile the ACLs: what was changed in them takes effect in the proxy',
  effect: 'write',
  verb: 'Compile',
  doing: () => say`Compiling the ACLs`,
  done: () => say`The ACLs are compiled`,
  preview: async ({ appliance, pendingChanges }) => {
    const lines = (await pendingChanges()).filter(({ what }) => what === 'acl').map(({ line }) => line);
    return ready({
      question: say`Compile the ACLs of ${strong(appliance.name)}?`,
      fields: {
        'Makes live':
          lines.length === 0
            ? say`whatever was changed elsewhere; nothing of mine is waiting`
            : say`${plural(lines.length, 'change')} of mine (${enumerate(lines)}), and whatever was changed elsewhere`,
      },
      fingerprint: { lines: digestOf(lines) },
    });
  },
  run: ({ appliance }) => appliance.acl.compile(),
  verify: { notCheckable: 'the appliance does not tell which ACLs its proxy goes by' },
  satisfies: () => ['acl'],
});
