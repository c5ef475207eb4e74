export const effects = ['read', 'write', 'destructive', 'unknown'] as const;

/** What a command may do to an appliance; `unknown` is what the appliance's document leaves open. */
export type CommandEffect = (typeof effects)[number];
