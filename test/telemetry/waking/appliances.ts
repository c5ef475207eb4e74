import { expect } from 'vitest';
import type { Scenes } from './scene.ts';

const minute = 60_000;

const emergency = async (bot: Parameters<Scenes[string]['happen']>[0]) => {
  await bot.type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
  await bot.press('Approve', 'carol');
  bot.appliance.faults.set('- /emergency_disable', { kind: 'forget' });
};

/** Events of appliances, and of changes on them. */
export const ofAppliances: Scenes = {
  appliance_away: {
    happen: async ({ appliance, type }) => {
      await appliance.close();
      await type('/appliance rdp sessions');
    },
    line: { appliance: 'hq', operation: 'rdp.listSessions', error: 'unreachable' },
  },
  appliance_refuses: {
    happen: async ({ appliance, type }) => {
      const error = 'Your IP address [203.0.113.9] is not allowed to perform this operation';
      appliance.faults.set('GET /rdpproxy/sessions', { kind: 'refuse', error, key: 'info' });
      await type('/appliance rdp sessions');
    },
    line: { appliance: 'hq', operation: 'rdp.listSessions', status: 200, obstacle: 'address' },
  },
  outcome_unknown: {
    options: { timeouts: { read: 1.5, whole: 1.8 } },
    happen: async ({ appliance, type, press, pass }) => {
      appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 5_000 });
      await type('/appliance rdp disconnect 12');
      await press('Disconnect');
      await pass(0);
    },
    line: { command: 'rdp disconnect', appliances: ['hq'], action: expect.any(String) },
  },
  timed_change_not_ended: {
    happen: async (bot) => {
      await emergency(bot);
      await bot.pass(30 * minute);
    },
    line: {
      appliance: 'hq',
      command: 'emergency enable',
      tries: 1,
      reason: expect.stringContaining('still on'),
    },
  },
  timed_change_people_called: {
    happen: async (bot) => {
      await emergency(bot);
      for (let passed = 0; passed < 200; passed += 10) await bot.pass(10 * minute);
    },
    line: { appliance: 'hq', command: 'emergency enable', pause: 60 * minute },
  },
  timed_change_left_to_people: {
    happen: async ({ type, pass }) => {
      await type('/appliance rdp ciphers set TLS_AES_256_GCM_SHA384 --for 30m', 'dana');
      await pass(10 * minute);
      await type('/appliance rdp ciphers set TLS_AES_128_GCM_SHA256 AES128-SHA', 'dana');
      await pass(40 * minute);
    },
    line: {
      appliance: 'hq',
      command: 'rdp ciphers set',
      reason: expect.stringContaining('changed it since'),
    },
  },
};
