/** The key under which one change or one compile at a time is sent to an appliance, by all replicas together. */
export const onAppliance = (name: string): string => `appliance ${name}`;
