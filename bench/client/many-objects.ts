/** The answer of `/proxy/acls/objects` on a large appliance: so many objects with ten records each, and some rules. */
export function manyObjects(objects: number): string {
  const list = Array.from({ length: objects }, (_, index) => {
    const ID = index + 1;
    return {
      ID,
      GroupName: `object_${ID}`,
      Type: ['dstdomain', 'ssl_sni', 'src', 'dstdom_regex'][index % 4],
      Enabled: index % 7 === 0 ? 0 : 1,
      Items: Array.from({ length: 10 }, (_, item) => ({
        id: ID * 10 + item,
        pattern: `host-${item}.site-${ID}.example.com`,
        date: '2026-11-20 08:15:00',
        uid: 'alice.carter',
        other: '',
        gpid: ID,
        enabled: item === 9 ? 0 : 1,
      })),
      Rules: Array.from({ length: index % 3 }, (_, rule) => ({
        ID: rule + 1,
        Name: `rule ${rule + 1}`,
        PortDirection: 0,
        AclPort: 0,
        AclGroup: 0,
        AclGpid: ID,
        Enabled: 1,
      })),
    };
  });
  return JSON.stringify({ Status: true, Error: '', Objects: list });
}
