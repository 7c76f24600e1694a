export { lookAtRedis } from './look-at-redis.ts'
export { createRedisCarrier, type RedisCarrierOptions } from './redis-carrier.ts'
