import { at, done } from './envelope.ts';
import { rebuildProxy, stillOpen } from './proxy.ts';

/**
 * The emergency modes: appliance-api.md §4.12. Disabling has a first-generation path only; the document prints the
 * enabling path as its second-generation one.
 */
export const emergency = [
  ...at(['/emergency_enable', '/proxy/auth/emergency/enable'], ({ state: { directory }, now }) => {
    if (directory.emergency) return done('Emergency was enabled already');
    directory.emergency = true;
    rebuildProxy(directory, now, 'authentication');
    return done('Emergency is enabled: all users pass without authentication');
  }),
  ...at('/emergency_disable', ({ state: { directory }, now }) => {
    if (!directory.emergency) return done('Emergency was not enabled');
    directory.emergency = false;
    rebuildProxy(directory, now, 'authentication');
    return done(
      `Emergency is disabled${stillOpen(directory) || ': the proxy is reconfigured to authenticate users'}`,
    );
  }),
  ...at(['/emergency_remove', '/proxy/general/emergency/remove'], ({ state: { directory }, now }) => {
    if (!directory.globalEmergency) return done('The proxy was not in Global Emergency');
    directory.globalEmergency = false;
    rebuildProxy(directory, now, 'all settings');
    return done(`Global Emergency is removed${stillOpen(directory) || ': the proxy is back to normal'}`);
  }),
];
