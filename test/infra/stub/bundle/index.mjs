export const handler = async () => "stub";
