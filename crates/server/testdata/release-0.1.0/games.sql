SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
CREATE TABLE public.events (
    game text NOT NULL,
    number bigint NOT NULL,
    at_ms bigint NOT NULL,
    body text NOT NULL
);
CREATE TABLE public.games (
    id text NOT NULL,
    settings text NOT NULL,
    seed text NOT NULL,
    listed bigint NOT NULL,
    status text NOT NULL,
    summary text NOT NULL,
    number bigint NOT NULL,
    created_ms bigint NOT NULL,
    updated_ms bigint NOT NULL,
    wake_ms bigint
);
CREATE TABLE public.invitations (
    game text NOT NULL,
    seat bigint NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.people (
    id text NOT NULL,
    token_hash text NOT NULL,
    name text NOT NULL,
    created_ms bigint NOT NULL
);
CREATE TABLE public.schema_version (
    version bigint NOT NULL
);
CREATE TABLE public.seats (
    game text NOT NULL,
    seat bigint NOT NULL,
    person text NOT NULL
);
INSERT INTO public.events VALUES ('eneffjsf25t6gb36', 1, 1794954128336, '{"type":"created"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 1, 1794954128600, '{"type":"created"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 2, 1794954128757, '{"type":"joined","seat":2,"person":"id7ks77zkcjkixgw","name":"Bob"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 3, 1794954128787, '{"type":"moved","seat":2,"move":"3R1","id":"f2"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 4, 1794954128806, '{"type":"moved","seat":1,"move":"2R4","id":"f3"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 5, 1794954128818, '{"type":"moved","seat":2,"move":"0K2","id":"f4"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 6, 1794954128830, '{"type":"moved","seat":1,"move":"1R4","id":"f5"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 7, 1794954128842, '{"type":"takeback_asked","seat":1}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 8, 1794954128845, '{"type":"taken_back","seat":1,"n_moves":3}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 9, 1794954128846, '{"type":"said","seat":2,"phrase":"one_moment"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 10, 1794954128848, '{"type":"moved","seat":1,"move":"1R4","id":"f9"}');
INSERT INTO public.events VALUES ('5izkfbgsmhbtcayq', 11, 1794954128850, '{"type":"moved","seat":2,"move":"0K3","id":"f10"}');
INSERT INTO public.events VALUES ('mdy6hfpdfffeq37z', 1, 1794954128851, '{"type":"created"}');
INSERT INTO public.events VALUES ('mdy6hfpdfffeq37z', 2, 1794954128853, '{"type":"joined","seat":2,"person":"ep57a9m2ze6yiiei","name":"Cid"}');
INSERT INTO public.events VALUES ('mdy6hfpdfffeq37z', 3, 1794954128855, '{"type":"moved","seat":1,"move":"1K4","id":"f2"}');
INSERT INTO public.events VALUES ('mdy6hfpdfffeq37z', 4, 1794954128857, '{"type":"moved","seat":2,"move":"2K1","id":"f3"}');
INSERT INTO public.events VALUES ('mdy6hfpdfffeq37z', 5, 1794954128859, '{"type":"moved","seat":1,"move":"4R5","id":"f4"}');
INSERT INTO public.events VALUES ('mdy6hfpdfffeq37z', 6, 1794954128861, '{"type":"takeback_asked","seat":1}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 1, 1794954128862, '{"type":"created"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 2, 1794954128864, '{"type":"moved","seat":1,"move":"3R1","id":"f1"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 3, 1794954128866, '{"type":"moved","seat":2,"move":"0B3"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 4, 1794954128868, '{"type":"moved","seat":1,"move":"4R2","id":"f3"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 5, 1794954128869, '{"type":"moved","seat":2,"move":"5WF"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 6, 1794954128871, '{"type":"moved","seat":1,"move":"2R4","id":"f5"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 7, 1794954128871, '{"type":"moved","seat":2,"move":"0Y2"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 8, 1794954128873, '{"type":"moved","seat":1,"move":"1RF","id":"f7"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 9, 1794954128874, '{"type":"moved","seat":2,"move":"0K4"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 10, 1794954128875, '{"type":"moved","seat":1,"move":"0W3","id":"f9"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 11, 1794954128876, '{"type":"moved","seat":2,"move":"0B3"}');
INSERT INTO public.events VALUES ('nwzruy3i9qu5cm9z', 12, 1794954128877, '{"type":"moved","seat":2,"move":"1B1"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 1, 1794954129104, '{"type":"created"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 2, 1794954129147, '{"type":"moved","seat":3,"move":"1Y3"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 3, 1794954129366, '{"type":"moved","seat":1,"move":"0K5","id":"f2"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 4, 1794954129377, '{"type":"moved","seat":2,"move":"2K2","id":"f3"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 5, 1794954129397, '{"type":"moved","seat":3,"move":"7JK4"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 6, 1794954129416, '{"type":"moved","seat":1,"move":"0R2","id":"f5"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 7, 1794954129430, '{"type":"moved","seat":2,"move":"6Y4","id":"f6"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 8, 1794954129445, '{"type":"moved","seat":3,"move":"3K4"}');
INSERT INTO public.events VALUES ('r83iqxdy3ue4ht2y', 9, 1794954129500, '{"type":"left","seat":2,"why":"resigned"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 1, 1794954129524, '{"type":"created"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 2, 1794954129608, '{"type":"joined","seat":2,"person":"id7ks77zkcjkixgw","name":"Bob"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 3, 1794954129656, '{"type":"moved","seat":1,"move":"1K4","id":"f2"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 4, 1794954129669, '{"type":"moved","seat":2,"move":"2K1","id":"f3"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 5, 1794954129751, '{"type":"moved","seat":1,"move":"4K2","id":"f4"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 6, 1794954129753, '{"type":"moved","seat":2,"move":"5R4","id":"f5"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 7, 1794954129755, '{"type":"moved","seat":1,"move":"3R5","id":"f6"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 8, 1794954129757, '{"type":"moved","seat":2,"move":"0K2","id":"f7"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 9, 1794954129762, '{"type":"moved","seat":1,"move":"0Y3","id":"f8"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 10, 1794954129764, '{"type":"moved","seat":2,"move":"0W3","id":"f9"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 11, 1794954129765, '{"type":"moved","seat":1,"move":"0BF","id":"f10"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 12, 1794954129768, '{"type":"moved","seat":2,"move":"1R5","id":"f11"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 13, 1794954129769, '{"type":"moved","seat":1,"move":"2R2","id":"f12"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 14, 1794954129771, '{"type":"moved","seat":2,"move":"4YF","id":"f13"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 15, 1794954129773, '{"type":"moved","seat":1,"move":"5R1","id":"f14"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 16, 1794954129775, '{"type":"moved","seat":2,"move":"0R3","id":"f15"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 17, 1794954129777, '{"type":"moved","seat":1,"move":"0K4","id":"f16"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 18, 1794954129779, '{"type":"moved","seat":2,"move":"3YF","id":"f17"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 19, 1794954129780, '{"type":"moved","seat":1,"move":"0K4","id":"f18"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 20, 1794954129782, '{"type":"moved","seat":2,"move":"0Y2","id":"f19"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 21, 1794954129784, '{"type":"moved","seat":1,"move":"0WF","id":"f20"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 22, 1794954129786, '{"type":"moved","seat":2,"move":"0BF","id":"f21"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 23, 1794954129788, '{"type":"moved","seat":2,"move":"1R3","id":"f22"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 24, 1794954129790, '{"type":"moved","seat":1,"move":"5Y4","id":"f23"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 25, 1794954129792, '{"type":"moved","seat":2,"move":"2R1","id":"f24"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 26, 1794954129802, '{"type":"moved","seat":1,"move":"4Y3","id":"f25"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 27, 1794954129806, '{"type":"moved","seat":2,"move":"0KF","id":"f26"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 28, 1794954129808, '{"type":"moved","seat":1,"move":"0YF","id":"f27"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 29, 1794954129810, '{"type":"moved","seat":2,"move":"3KF","id":"f28"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 30, 1794954129812, '{"type":"moved","seat":1,"move":"0W1","id":"f29"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 31, 1794954129814, '{"type":"moved","seat":2,"move":"0BF","id":"f30"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 32, 1794954129816, '{"type":"moved","seat":2,"move":"3R4","id":"f31"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 33, 1794954129817, '{"type":"moved","seat":1,"move":"2RF","id":"f32"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 34, 1794954129819, '{"type":"moved","seat":2,"move":"5R3","id":"f33"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 35, 1794954129821, '{"type":"moved","seat":1,"move":"4YF","id":"f34"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 36, 1794954129823, '{"type":"moved","seat":2,"move":"0Y2","id":"f35"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 37, 1794954129825, '{"type":"moved","seat":1,"move":"0K3","id":"f36"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 38, 1794954129827, '{"type":"moved","seat":2,"move":"1BF","id":"f37"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 39, 1794954129828, '{"type":"moved","seat":1,"move":"0K3","id":"f38"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 40, 1794954129830, '{"type":"moved","seat":2,"move":"0W1","id":"f39"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 41, 1794954129832, '{"type":"moved","seat":1,"move":"0BF","id":"f40"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 42, 1794954129834, '{"type":"moved","seat":2,"move":"3YF","id":"f41"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 43, 1794954129835, '{"type":"moved","seat":1,"move":"4YF","id":"f42"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 44, 1794954129837, '{"type":"moved","seat":2,"move":"2YF","id":"f43"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 45, 1794954129839, '{"type":"moved","seat":1,"move":"5Y4","id":"f44"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 46, 1794954129841, '{"type":"moved","seat":2,"move":"1Y3","id":"f45"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 47, 1794954129845, '{"type":"moved","seat":1,"move":"0R3","id":"f46"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 48, 1794954129847, '{"type":"moved","seat":2,"move":"0BF","id":"f47"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 49, 1794954129849, '{"type":"moved","seat":1,"move":"0KF","id":"f48"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 50, 1794954129851, '{"type":"moved","seat":1,"move":"1R5","id":"f49"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 51, 1794954129853, '{"type":"moved","seat":2,"move":"5Y1","id":"f50"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 52, 1794954129855, '{"type":"moved","seat":1,"move":"0K1","id":"f51"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 53, 1794954129857, '{"type":"moved","seat":2,"move":"2KF","id":"f52"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 54, 1794954129858, '{"type":"moved","seat":1,"move":"3KF","id":"f53"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 55, 1794954129860, '{"type":"moved","seat":2,"move":"4YF","id":"f54"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 56, 1794954129866, '{"type":"moved","seat":1,"move":"0YF","id":"f55"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 57, 1794954129868, '{"type":"moved","seat":2,"move":"0KF","id":"f56"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 58, 1794954129869, '{"type":"moved","seat":1,"move":"0W3","id":"f57"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 59, 1794954129871, '{"type":"moved","seat":2,"move":"0BF","id":"f58"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 60, 1794954129873, '{"type":"moved","seat":1,"move":"5YF","id":"f59"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 61, 1794954129875, '{"type":"moved","seat":2,"move":"2R2","id":"f60"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 62, 1794954129877, '{"type":"moved","seat":1,"move":"3YF","id":"f61"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 63, 1794954129879, '{"type":"moved","seat":2,"move":"1RF","id":"f62"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 64, 1794954129880, '{"type":"moved","seat":1,"move":"4R2","id":"f63"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 65, 1794954129882, '{"type":"moved","seat":2,"move":"0KF","id":"f64"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 66, 1794954129883, '{"type":"moved","seat":1,"move":"0BF","id":"f65"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 67, 1794954129885, '{"type":"moved","seat":2,"move":"0WF","id":"f66"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 68, 1794954129887, '{"type":"moved","seat":2,"move":"1R5","id":"f67"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 69, 1794954129889, '{"type":"moved","seat":1,"move":"2Y4","id":"f68"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 70, 1794954129891, '{"type":"moved","seat":2,"move":"0R5","id":"f69"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 71, 1794954129900, '{"type":"moved","seat":1,"move":"0YF","id":"f70"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 72, 1794954129915, '{"type":"moved","seat":2,"move":"5R4","id":"f71"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 73, 1794954129930, '{"type":"moved","seat":1,"move":"4BF","id":"f72"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 74, 1794954129934, '{"type":"moved","seat":2,"move":"0Y3","id":"f73"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 75, 1794954129936, '{"type":"moved","seat":1,"move":"3B3","id":"f74"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 76, 1794954129938, '{"type":"moved","seat":2,"move":"0KF","id":"f75"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 77, 1794954129939, '{"type":"moved","seat":1,"move":"0BF","id":"f76"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 78, 1794954129941, '{"type":"moved","seat":2,"move":"0WF","id":"f77"}');
INSERT INTO public.events VALUES ('5cyfrv2st4wu2cqp', 79, 1794954129943, '{"type":"rematch","seat":1,"game":"e3tqp2khbgua8ffy"}');
INSERT INTO public.events VALUES ('e3tqp2khbgua8ffy', 1, 1794954129943, '{"type":"created"}');
INSERT INTO public.events VALUES ('gqtpzdvvw2p2bqhu', 1, 1794954129945, '{"type":"created"}');
INSERT INTO public.events VALUES ('gqtpzdvvw2p2bqhu', 2, 1794954129946, '{"type":"joined","seat":2,"person":"id7ks77zkcjkixgw","name":"Bob"}');
INSERT INTO public.events VALUES ('gqtpzdvvw2p2bqhu', 3, 1794954129948, '{"type":"moved","seat":1,"move":"2R4","id":"f2"}');
INSERT INTO public.events VALUES ('gqtpzdvvw2p2bqhu', 4, 1794954129950, '{"type":"moved","seat":2,"move":"3R1","id":"f3"}');
INSERT INTO public.events VALUES ('gqtpzdvvw2p2bqhu', 5, 1794954129952, '{"type":"moved","seat":1,"move":"1R1","id":"f4"}');
INSERT INTO public.events VALUES ('gqtpzdvvw2p2bqhu', 6, 1794954129953, '{"type":"left","seat":2,"why":"resigned"}');
INSERT INTO public.events VALUES ('ztpndec3r7ztre5f', 1, 1794954129954, '{"type":"created"}');
INSERT INTO public.events VALUES ('ztpndec3r7ztre5f', 2, 1794954129956, '{"type":"closed","why":"aborted"}');
INSERT INTO public.games VALUES ('eneffjsf25t6gb36', '{"rules":"2c","seats":[{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Ana"},{"kind":"open"}],"clock":{"kind":"none"},"listed":true,"takebacks":true,"hints":false,"seed_hash":"7e0a38f004721e793e1f749e981fd2ade064524cce45078252d65e2799424030","seed_by":"server","creator":"wghjqj49zy2ebwa5"}', '1498b22f6e7508f54b373f3bae62b90f', 1, 'waiting', '{"id":"eneffjsf25t6gb36","status":"waiting","rules":"2c","seats":[{"seat":1,"kind":"person","name":"Ana","level":null,"left":null},{"seat":2,"kind":"open","name":null,"level":null,"left":null}],"your_seats":[],"clock":{"kind":"none"},"turn":null,"round":1,"scores":[0,0],"result":null,"number":1,"created_ms":1794954128336,"updated_ms":1794954128336}', 1, 1794954128336, 1794954128336, 1795558928336);
INSERT INTO public.games VALUES ('5izkfbgsmhbtcayq', '{"rules":"2c","seats":[{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Ana"},{"kind":"open"}],"clock":{"kind":"total","seconds":86400,"increment":5},"listed":false,"takebacks":true,"hints":false,"seed_hash":"20386b2be7ff7d205cd9ba5306476818681999bcd06ec1116fb3608769443f60","seed_by":"server","creator":"wghjqj49zy2ebwa5"}', '574ba67e014d2c37f3d86507b3ad926e', 0, 'playing', '{"id":"5izkfbgsmhbtcayq","status":"playing","rules":"2c","seats":[{"seat":1,"kind":"person","name":"Ana","level":null,"left":null},{"seat":2,"kind":"person","name":"Bob","level":null,"left":null}],"your_seats":[],"clock":{"kind":"total","seconds":86400,"increment":5},"turn":1,"round":1,"scores":[0,0],"result":null,"number":11,"created_ms":1794954128600,"updated_ms":1794954128850}', 11, 1794954128600, 1794954128850, 1795040543816);
INSERT INTO public.games VALUES ('mdy6hfpdfffeq37z', '{"rules":"2g","seats":[{"kind":"person","person":"id7ks77zkcjkixgw","name":"Bob"},{"kind":"open"}],"clock":{"kind":"per_move","days":3},"listed":false,"takebacks":true,"hints":false,"seed_hash":"144b64b87c1bc4a6ded489fb7fd828b34367a90c9bf35f90ca5227bbac0a9921","seed_by":"server","creator":"id7ks77zkcjkixgw"}', 'bfa968b4c5f4b258b846fda87efa1591', 0, 'playing', '{"id":"mdy6hfpdfffeq37z","status":"playing","rules":"2g","seats":[{"seat":1,"kind":"person","name":"Bob","level":null,"left":null},{"seat":2,"kind":"person","name":"Cid","level":null,"left":null}],"your_seats":[],"clock":{"kind":"per_move","days":3},"turn":2,"round":1,"scores":[0,0],"result":null,"number":6,"created_ms":1794954128851,"updated_ms":1794954128861}', 6, 1794954128851, 1794954128861, 1795213328859);
INSERT INTO public.games VALUES ('nwzruy3i9qu5cm9z', '{"rules":"2c","seats":[{"kind":"person","person":"ep57a9m2ze6yiiei","name":"Cid"},{"kind":"engine","level":1}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":true,"seed_hash":"a8c08749984623ba1e185f55c7075c0302df734d3a5adc5de988fe159128814d","seed_by":"server","creator":"ep57a9m2ze6yiiei"}', '5cd01a58940dbdd0c0c8f3e21623ac9a', 0, 'playing', '{"id":"nwzruy3i9qu5cm9z","status":"playing","rules":"2c","seats":[{"seat":1,"kind":"person","name":"Cid","level":null,"left":null},{"seat":2,"kind":"engine","name":"Visitor (level 1)","level":1,"left":null}],"your_seats":[],"clock":{"kind":"none"},"turn":1,"round":2,"scores":[0,0],"result":null,"number":12,"created_ms":1794954128862,"updated_ms":1794954128877}', 12, 1794954128862, 1794954128877, 1797546128877);
INSERT INTO public.games VALUES ('r83iqxdy3ue4ht2y', '{"rules":"3cj","seats":[{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Ana"},{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Player 2"},{"kind":"engine","level":2}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":true,"seed_hash":"91ceb4298b72c238cfb12a729b49488fa4c1f0ab21574187756e395ee015a1f1","seed_by":"server","creator":"wghjqj49zy2ebwa5"}', '79c06753e08d80b2ffaa3d26720fd821', 0, 'playing', '{"id":"r83iqxdy3ue4ht2y","status":"playing","rules":"3cj","seats":[{"seat":1,"kind":"person","name":"Ana","level":null,"left":null},{"seat":2,"kind":"person","name":"Player 2","level":null,"left":"resigned"},{"seat":3,"kind":"engine","name":"Novice (level 2)","level":2,"left":null}],"your_seats":[],"clock":{"kind":"none"},"turn":1,"round":1,"scores":[0,0,0],"result":null,"number":9,"created_ms":1794954129104,"updated_ms":1794954129500}', 9, 1794954129104, 1794954129500, 1797546129500);
INSERT INTO public.games VALUES ('5cyfrv2st4wu2cqp', '{"rules":"2c","seats":[{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Ana"},{"kind":"open"}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":false,"seed_hash":"4ec0366b61b87ac1339096da3a8d5a723a80e8876c2f0e3463008049f2b87118","seed_by":"server","creator":"wghjqj49zy2ebwa5"}', '25ec6de5f5cd2c9a753508b5872f60bb', 0, 'over', '{"id":"5cyfrv2st4wu2cqp","status":"over","rules":"2c","seats":[{"seat":1,"kind":"person","name":"Ana","level":null,"left":null},{"seat":2,"kind":"person","name":"Bob","level":null,"left":null}],"your_seats":[],"clock":{"kind":"none"},"turn":null,"round":8,"scores":[3,0],"result":{"ended_by":"row","scores":[3,0],"ranks":[1,2],"winners":[1]},"number":79,"created_ms":1794954129524,"updated_ms":1794954129943}', 79, 1794954129524, 1794954129943, NULL);
INSERT INTO public.games VALUES ('e3tqp2khbgua8ffy', '{"rules":"2c","seats":[{"kind":"reserved","person":"id7ks77zkcjkixgw","name":"Bob"},{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Ana"}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":false,"seed_hash":"8075457cbb8b2ed39a3adf38287a857c06936e35e8ed4e9d2e64253feb88da2a","seed_by":"server","rematch_of":"5cyfrv2st4wu2cqp","creator":"wghjqj49zy2ebwa5"}', 'f1062d67b7ba28be1ff3d0c85079b923', 0, 'waiting', '{"id":"e3tqp2khbgua8ffy","status":"waiting","rules":"2c","seats":[{"seat":1,"kind":"reserved","name":"Bob","level":null,"left":null},{"seat":2,"kind":"person","name":"Ana","level":null,"left":null}],"your_seats":[],"clock":{"kind":"none"},"turn":null,"round":1,"scores":[0,0],"result":null,"number":1,"created_ms":1794954129943,"updated_ms":1794954129943}', 1, 1794954129943, 1794954129943, 1795558929943);
INSERT INTO public.games VALUES ('gqtpzdvvw2p2bqhu', '{"rules":"2c","seats":[{"kind":"person","person":"wghjqj49zy2ebwa5","name":"Ana"},{"kind":"open"}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":false,"seed_hash":"b789ee1f2661e101e9250cedc3228508d52579b597f7285caf8ade1bc2610cac","seed_by":"server","creator":"wghjqj49zy2ebwa5"}', '167997289de7a89d5974976bd5d497a2', 0, 'over', '{"id":"gqtpzdvvw2p2bqhu","status":"over","rules":"2c","seats":[{"seat":1,"kind":"person","name":"Ana","level":null,"left":null},{"seat":2,"kind":"person","name":"Bob","level":null,"left":"resigned"}],"your_seats":[],"clock":{"kind":"none"},"turn":null,"round":1,"scores":[0,0],"result":{"ended_by":"resigned","scores":[0,0],"ranks":[1,2],"winners":[1]},"number":6,"created_ms":1794954129945,"updated_ms":1794954129953}', 6, 1794954129945, 1794954129953, NULL);
INSERT INTO public.games VALUES ('ztpndec3r7ztre5f', '{"rules":"2c","seats":[{"kind":"person","person":"ep57a9m2ze6yiiei","name":"Cid"},{"kind":"open"}],"clock":{"kind":"none"},"listed":false,"takebacks":true,"hints":false,"seed_hash":"a649db95b10dbb1c492f1975aa1e93061ad71915095300f96a1edca3db14d03f","seed_by":"creator","creator":"ep57a9m2ze6yiiei"}', '2026', 0, 'over', '{"id":"ztpndec3r7ztre5f","status":"over","rules":"2c","seats":[{"seat":1,"kind":"person","name":"Cid","level":null,"left":null},{"seat":2,"kind":"open","name":null,"level":null,"left":null}],"your_seats":[],"clock":{"kind":"none"},"turn":null,"round":1,"scores":[0,0],"result":{"ended_by":"aborted","scores":[0,0],"ranks":[],"winners":[]},"number":2,"created_ms":1794954129954,"updated_ms":1794954129956}', 2, 1794954129954, 1794954129956, NULL);
INSERT INTO public.invitations VALUES ('eneffjsf25t6gb36', 2, '56c8f96d331f718d6ffe7579fc1e77b01ac5761e76b15976f506cbf5cb389262');
INSERT INTO public.invitations VALUES ('5izkfbgsmhbtcayq', 2, 'ed0e8c79c11853f6cd7e2ae9050903fcc2974497bd0496237940bd486eff9ec4');
INSERT INTO public.invitations VALUES ('mdy6hfpdfffeq37z', 2, 'fd09cc85dd8ef8e68c384ed69294026a1e3efc6471aa12f9c199b49b16b52528');
INSERT INTO public.invitations VALUES ('5cyfrv2st4wu2cqp', 2, 'efb0ca68d689c3932ac5f57facef1547f3d74575cd64a3b7e5df51f1d73a5063');
INSERT INTO public.invitations VALUES ('gqtpzdvvw2p2bqhu', 2, 'd347f873b1588d54bb47c19a77b46ca7eb138daab337cff4ef17eb4597f73435');
INSERT INTO public.invitations VALUES ('ztpndec3r7ztre5f', 2, '74791a10373ec73f0d3454e069655225b508a0227e05f5c48edc912ddfd59159');
INSERT INTO public.people VALUES ('ep57a9m2ze6yiiei', 'c35fc4442997b47664c4fab845591075af0362cae3deb35bc2fc78af6b28345e', 'Cid', 1794954128273);
INSERT INTO public.people VALUES ('id7ks77zkcjkixgw', 'd2e38d277cc8d644e51f1a020bca4bb7b14e76f3ff746137ede57a0f2249ee21', 'Bob', 1794954128153);
INSERT INTO public.people VALUES ('wghjqj49zy2ebwa5', 'cd2937b03e72e1bc51139cbb8d8c74b8699cdab5c72da83eccc79ba361c99954', 'Ana', 1794954128124);
INSERT INTO public.schema_version VALUES (1);
INSERT INTO public.seats VALUES ('eneffjsf25t6gb36', 1, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('5izkfbgsmhbtcayq', 1, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('5izkfbgsmhbtcayq', 2, 'id7ks77zkcjkixgw');
INSERT INTO public.seats VALUES ('mdy6hfpdfffeq37z', 1, 'id7ks77zkcjkixgw');
INSERT INTO public.seats VALUES ('mdy6hfpdfffeq37z', 2, 'ep57a9m2ze6yiiei');
INSERT INTO public.seats VALUES ('nwzruy3i9qu5cm9z', 1, 'ep57a9m2ze6yiiei');
INSERT INTO public.seats VALUES ('r83iqxdy3ue4ht2y', 1, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('r83iqxdy3ue4ht2y', 2, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('5cyfrv2st4wu2cqp', 1, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('5cyfrv2st4wu2cqp', 2, 'id7ks77zkcjkixgw');
INSERT INTO public.seats VALUES ('e3tqp2khbgua8ffy', 2, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('gqtpzdvvw2p2bqhu', 1, 'wghjqj49zy2ebwa5');
INSERT INTO public.seats VALUES ('gqtpzdvvw2p2bqhu', 2, 'id7ks77zkcjkixgw');
INSERT INTO public.seats VALUES ('ztpndec3r7ztre5f', 1, 'ep57a9m2ze6yiiei');
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (game, number);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT games_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (game, seat);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT seats_pkey PRIMARY KEY (game, seat);
CREATE INDEX games_lobby ON public.games USING btree (created_ms) WHERE (listed = 1);
CREATE INDEX games_updated ON public.games USING btree (updated_ms);
CREATE INDEX games_wake ON public.games USING btree (wake_ms) WHERE (wake_ms IS NOT NULL);
CREATE INDEX seats_person ON public.seats USING btree (person);
