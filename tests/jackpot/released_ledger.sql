BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE answer (
	number INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	command TEXT NOT NULL, 
	at TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	status TEXT NOT NULL, 
	message TEXT NOT NULL, 
	first INTEGER NOT NULL, 
	last INTEGER NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE ("key")
)
 STRICT

;
INSERT INTO "answer" VALUES(1,'staff-0001','f7ef0e9a2504a22b723427caf3b5f3954ea8d6d2def94190280106588d0a5ea6','2026-11-01T00:00:04.000000+00:00','executive','done','',3,3,'0000000000000000000000000000000000000000000000000000000000000000','37def960d1065bf1d779af0bf53971042243c761fbbb0b72f5e69328c83a88bb');
INSERT INTO "answer" VALUES(2,'open-0001','cf737c7cddafcb294394c450edaf705bd3f970b31656cc4846f0c007f95c9049','2026-11-01T00:00:06.000000+00:00','dealer','done','',4,4,'37def960d1065bf1d779af0bf53971042243c761fbbb0b72f5e69328c83a88bb','a895a1985ac82e0bd8a5e479d14738364a8e0b5e8ffc59b8cc2ac380d12a186d');
INSERT INTO "answer" VALUES(3,'hit-0001','70dc9c5b8c37276a1522f3d5788548d8ba3a2e15d3a13c437b849dd61b0437fb','2026-11-01T00:00:08.000000+00:00','dealer','done','',5,5,'a895a1985ac82e0bd8a5e479d14738364a8e0b5e8ffc59b8cc2ac380d12a186d','62109d7e0db63989757a156397af2025c3065870b8d5ed20abc50e8d75da945b');
INSERT INTO "answer" VALUES(4,'confirm-0001','ff7d04aa768ffddf90df547bc71d1105c90fdac29c32f74b81283a996dff8bc6','2026-11-01T00:00:10.000000+00:00','supervisor','done','',6,6,'62109d7e0db63989757a156397af2025c3065870b8d5ed20abc50e8d75da945b','c2874135ff2826f57c6c60779cf838caebbb616d56a968f16aa94dc747f4987f');
INSERT INTO "answer" VALUES(5,'pay-0001','61babba4814faca31a793d57d5d07fb8c0398b183f029fec02bd27db3a9ffb95','2026-11-01T00:00:12.000000+00:00','dealer','done','',7,7,'c2874135ff2826f57c6c60779cf838caebbb616d56a968f16aa94dc747f4987f','31fd492fdbf67c2b05a73ad7b69e891aef815d95dc5863f5e9a64128f942d052');
INSERT INTO "answer" VALUES(6,'close-0001','bf3638d06fa03354316772412f4a3df74e20acc449818a49c2efa995c5bf1fd3','2026-11-01T00:00:14.000000+00:00','dealer','done','',8,8,'31fd492fdbf67c2b05a73ad7b69e891aef815d95dc5863f5e9a64128f942d052','59a88ef60f38a8c7d0cdc8624051adc4b03de31397e19ec818e0580abc9cbdcb');
INSERT INTO "answer" VALUES(7,'ask-0001','7ac9c8c1a497d5841f3934e12576c99ddd85341cd8a50f4c410130af7ce686ce','2026-11-01T00:00:16.000000+00:00','supervisor','done','',9,9,'59a88ef60f38a8c7d0cdc8624051adc4b03de31397e19ec818e0580abc9cbdcb','cfe1e0de62d6546cb734cef2ef319231ab596623528f24d3ae19d7557665b187');
CREATE TABLE attempt (
	number INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	at INTEGER NOT NULL, 
	PRIMARY KEY (number)
)
 STRICT

;
CREATE TABLE balance (
	account TEXT NOT NULL, 
	purpose TEXT NOT NULL, 
	units INTEGER NOT NULL, 
	PRIMARY KEY (account, purpose)
)
 STRICT

;
INSERT INTO "balance" VALUES('house','seed',10000000000);
INSERT INTO "balance" VALUES('meter','seed',-10000000000);
INSERT INTO "balance" VALUES('bank','seed',10000000000);
INSERT INTO "balance" VALUES('cage','seed',-10000000000);
INSERT INTO "balance" VALUES('bank','contribution',160000);
INSERT INTO "balance" VALUES('meter','contribution',-140000);
INSERT INTO "balance" VALUES('reserve','contribution',-20000);
INSERT INTO "balance" VALUES('cage','share',840000);
INSERT INTO "balance" VALUES('house','share',-840000);
INSERT INTO "balance" VALUES('meter','award',1000010000);
INSERT INTO "balance" VALUES('held','award',-1000010000);
INSERT INTO "balance" VALUES('held','confirmed',1000010000);
INSERT INTO "balance" VALUES('payable','confirmed',-1000010000);
INSERT INTO "balance" VALUES('payable','paid',1000010000);
INSERT INTO "balance" VALUES('bank','paid',-1000010000);
CREATE TABLE checkpoint (
	entry INTEGER NOT NULL, 
	head TEXT NOT NULL, 
	state TEXT NOT NULL, 
	signature TEXT NOT NULL, 
	PRIMARY KEY (entry), 
	FOREIGN KEY(entry) REFERENCES entry (sequence)
)
 STRICT

;
CREATE TABLE contribution (
	table_number INTEGER NOT NULL, 
	round_number INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	wager_cents INTEGER NOT NULL, 
	entry INTEGER NOT NULL, 
	PRIMARY KEY (table_number, round_number, seat), 
	FOREIGN KEY(entry) REFERENCES entry (sequence) DEFERRABLE INITIALLY DEFERRED
)
 STRICT

;
INSERT INTO "contribution" VALUES(1,1,1,100,4);
CREATE TABLE credential (
	name TEXT NOT NULL, 
	password TEXT NOT NULL, 
	totp TEXT NOT NULL, 
	last_code INTEGER NOT NULL, 
	PRIMARY KEY (name)
)
 STRICT

;
CREATE TABLE entry (
	sequence INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	data TEXT NOT NULL, 
	meter_units INTEGER NOT NULL, 
	reserve_units INTEGER NOT NULL, 
	software TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (sequence)
)
 STRICT

;
INSERT INTO "entry" VALUES(1,'2026-11-01T00:00:01.000000+00:00','executive','founded','{"by":"executive","kind":"founded","settings":{"award_order":"sequence","award_rounding":"cent","envy_hitter_must_wager":"on","executive_cents":1000000,"fixed_awards_from":"tray","limit_cents":-1,"lines":[{"cents":0,"envy_dollars":100,"hand":"royal-flush","percent":100},{"cents":0,"envy_dollars":10,"hand":"straight-flush","percent":10},{"cents":10000,"envy_dollars":0,"hand":"four-of-a-kind","percent":0},{"cents":2500,"envy_dollars":0,"hand":"full-house","percent":0},{"cents":1500,"envy_dollars":0,"hand":"flush","percent":0},{"cents":1000,"envy_dollars":0,"hand":"straight","percent":0}],"meter_bps":1400,"most_wager_cents":100,"paytable":"SIXCPP-01","preset_meter_bps":1400,"reserve_bps":200,"seats":6,"seed_cents":1000000,"tables":2,"variance_cents":5000,"wager_cents":100,"words":"keypad","zero_seed":false},"software":"0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9"}',10000000000,0,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','0000000000000000000000000000000000000000000000000000000000000000','ce787574211b884611c220431a13fdfd2dfec7e4cd7afcc4d742bc447fe76e80');
INSERT INTO "entry" VALUES(2,'2026-11-01T00:00:02.000000+00:00','executive','staff-changed','{"active":true,"by":"executive","kind":"staff-changed","name":"executive","role":"executive"}',10000000000,0,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','ce787574211b884611c220431a13fdfd2dfec7e4cd7afcc4d742bc447fe76e80','c82bcaf17feef567c728ad5dd781a5cf6fd011325ede5efa8b6594d7a8623e7a');
INSERT INTO "entry" VALUES(3,'2026-11-01T00:00:03.000000+00:00','executive','staff-changed','{"active":true,"by":"executive","kind":"staff-changed","name":"supervisor","role":"supervisor"}',10000000000,0,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','c82bcaf17feef567c728ad5dd781a5cf6fd011325ede5efa8b6594d7a8623e7a','b6edcc8e607a786f9f2a94a99a078fcdaa0def3a843f3b37e7ba409adcfac5df');
INSERT INTO "entry" VALUES(4,'2026-11-01T00:00:05.000000+00:00','dealer','opened','{"by":"dealer","house_units":840000,"kind":"opened","link":"","meter_units":140000,"reserve_units":20000,"round":1,"table":1,"version":1,"wagers":[{"cents":100,"seat":1}]}',10000140000,20000,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','b6edcc8e607a786f9f2a94a99a078fcdaa0def3a843f3b37e7ba409adcfac5df','0f8aae2744bdb468a9f30b7ab614995fa4f6b46abb30a21495a57763263e7455');
INSERT INTO "entry" VALUES(5,'2026-11-01T00:00:07.000000+00:00','dealer','entered','{"back":{"meter_cents":0,"released_units":0,"seed_cents":0},"by":"dealer","kind":"entered","owed":[{"award":1,"by":"dealer","cards":"9s 8s 7s 6s 5s","hand":"straight-flush","meter_cents":100001,"released_units":0,"seat":1,"seed_cents":0,"short_cents":0,"tray_cents":0}],"replaced":[],"round":1,"table":1}',9000130000,20000,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','0f8aae2744bdb468a9f30b7ab614995fa4f6b46abb30a21495a57763263e7455','b182c768d1c9d04e225dfb9914afe5def9046bb26ecae111363105f4393da36e');
INSERT INTO "entry" VALUES(6,'2026-11-01T00:00:09.000000+00:00','supervisor','confirmed','{"award":1,"by":"supervisor","entered_by":"dealer","kind":"confirmed","meter_cents":100001,"tray_cents":0}',9000130000,20000,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','b182c768d1c9d04e225dfb9914afe5def9046bb26ecae111363105f4393da36e','f5727c473e964f758f7e763b1362b27b1f93212386ce13d3f8643cd77de975dc');
INSERT INTO "entry" VALUES(7,'2026-11-01T00:00:11.000000+00:00','dealer','paid','{"award":1,"by":"dealer","cents":100001,"kind":"paid"}',9000130000,20000,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','f5727c473e964f758f7e763b1362b27b1f93212386ce13d3f8643cd77de975dc','95262b2d7441bd47985be8b5eca7c57e07d5d46bf25b263dd460d927a892f3a4');
INSERT INTO "entry" VALUES(8,'2026-11-01T00:00:13.000000+00:00','dealer','ended','{"by":"dealer","envy":[],"kind":"ended","round":1,"table":1}',9000130000,20000,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','95262b2d7441bd47985be8b5eca7c57e07d5d46bf25b263dd460d927a892f3a4','e15264935d35c52ed48e9b5e48a607d2e28ee34f27b8c48b12021162829ed58d');
INSERT INTO "entry" VALUES(9,'2026-11-01T00:00:15.000000+00:00','supervisor','requested','{"by":"supervisor","change":{"settings":{"award_order":"sequence","award_rounding":"cent","envy_hitter_must_wager":"on","executive_cents":1000000,"fixed_awards_from":"tray","limit_cents":-1,"lines":[{"cents":0,"envy_dollars":100,"hand":"royal-flush","percent":100},{"cents":0,"envy_dollars":10,"hand":"straight-flush","percent":10},{"cents":10000,"envy_dollars":0,"hand":"four-of-a-kind","percent":0},{"cents":2500,"envy_dollars":0,"hand":"full-house","percent":0},{"cents":1500,"envy_dollars":0,"hand":"flush","percent":0},{"cents":1000,"envy_dollars":0,"hand":"straight","percent":0}],"meter_bps":1400,"most_wager_cents":100,"paytable":"SIXCPP-01","preset_meter_bps":1400,"reserve_bps":200,"seats":5,"seed_cents":1000000,"tables":2,"variance_cents":5000,"wager_cents":100,"words":"keypad","zero_seed":false},"text":"as agreed","what":"settings"},"kind":"requested","request":1}',9000130000,20000,'0.1.0 ffd9e76663c37274c185871d774dd22f5013fb95c5d1d6c8030488ce052620c9','e15264935d35c52ed48e9b5e48a607d2e28ee34f27b8c48b12021162829ed58d','760bffd5c31b1696de0afa29f06697fdc19596521f0e0ac238bdfdf49f714aff');
CREATE TABLE live (
	name TEXT NOT NULL, 
	opener TEXT NOT NULL, 
	entry INTEGER NOT NULL, 
	PRIMARY KEY (name), 
	UNIQUE (entry), 
	FOREIGN KEY(entry) REFERENCES entry (sequence)
)
 STRICT

;
CREATE TABLE posting (
	entry INTEGER NOT NULL, 
	line INTEGER NOT NULL, 
	account TEXT NOT NULL, 
	purpose TEXT NOT NULL, 
	units INTEGER NOT NULL, 
	PRIMARY KEY (entry, line), 
	FOREIGN KEY(entry) REFERENCES entry (sequence) DEFERRABLE INITIALLY DEFERRED
)
 STRICT

;
INSERT INTO "posting" VALUES(1,1,'house','seed',10000000000);
INSERT INTO "posting" VALUES(1,2,'meter','seed',-10000000000);
INSERT INTO "posting" VALUES(1,3,'bank','seed',10000000000);
INSERT INTO "posting" VALUES(1,4,'cage','seed',-10000000000);
INSERT INTO "posting" VALUES(4,1,'bank','contribution',160000);
INSERT INTO "posting" VALUES(4,2,'meter','contribution',-140000);
INSERT INTO "posting" VALUES(4,3,'reserve','contribution',-20000);
INSERT INTO "posting" VALUES(4,4,'cage','share',840000);
INSERT INTO "posting" VALUES(4,5,'house','share',-840000);
INSERT INTO "posting" VALUES(5,1,'meter','award',1000010000);
INSERT INTO "posting" VALUES(5,2,'held','award',-1000010000);
INSERT INTO "posting" VALUES(6,1,'held','confirmed',1000010000);
INSERT INTO "posting" VALUES(6,2,'payable','confirmed',-1000010000);
INSERT INTO "posting" VALUES(7,1,'payable','paid',1000010000);
INSERT INTO "posting" VALUES(7,2,'bank','paid',-1000010000);
CREATE TABLE session (
	token TEXT NOT NULL, 
	name TEXT NOT NULL, 
	began INTEGER NOT NULL, 
	used INTEGER NOT NULL, 
	PRIMARY KEY (token)
)
 STRICT

;
CREATE TABLE stream (
	name TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	entry INTEGER NOT NULL, 
	whole INTEGER NOT NULL, 
	PRIMARY KEY (name, number), 
	UNIQUE (entry), 
	FOREIGN KEY(entry) REFERENCES entry (sequence)
)
 STRICT

;
CREATE INDEX ix_contribution_entry ON contribution (entry);
CREATE INDEX ix_attempt_name ON attempt (name);
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entry: rows are only added'); END;
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entry: rows are only added'); END;
CREATE TRIGGER posting_no_update BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'posting: rows are only added'); END;
CREATE TRIGGER posting_no_delete BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'posting: rows are only added'); END;
CREATE TRIGGER contribution_no_update BEFORE UPDATE ON contribution BEGIN SELECT RAISE(ABORT, 'contribution: rows are only added'); END;
CREATE TRIGGER contribution_no_delete BEFORE DELETE ON contribution BEGIN SELECT RAISE(ABORT, 'contribution: rows are only added'); END;
CREATE TRIGGER answer_no_update BEFORE UPDATE ON answer BEGIN SELECT RAISE(ABORT, 'answer: rows are only added'); END;
CREATE TRIGGER answer_no_delete BEFORE DELETE ON answer BEGIN SELECT RAISE(ABORT, 'answer: rows are only added'); END;
CREATE TRIGGER checkpoint_no_update BEFORE UPDATE ON checkpoint BEGIN SELECT RAISE(ABORT, 'checkpoint: rows are only added'); END;
CREATE TRIGGER checkpoint_no_delete BEFORE DELETE ON checkpoint BEGIN SELECT RAISE(ABORT, 'checkpoint: rows are only added'); END;
CREATE TRIGGER entry_follows BEFORE INSERT ON entry WHEN NEW.sequence <> 1 + coalesce((SELECT max(sequence) FROM entry), 0) OR NEW.previous <> coalesce((SELECT hash FROM entry WHERE sequence = NEW.sequence - 1), '0000000000000000000000000000000000000000000000000000000000000000') BEGIN SELECT RAISE(ABORT, 'an entry must follow the last one'); END;
CREATE TRIGGER entry_balances BEFORE INSERT ON entry WHEN (SELECT coalesce(sum(units), 0) FROM posting WHERE entry = NEW.sequence) <> 0 BEGIN SELECT RAISE(ABORT, 'the postings of an entry must add up to zero'); END;
CREATE TRIGGER posting_precedes BEFORE INSERT ON posting WHEN EXISTS (SELECT 1 FROM entry WHERE sequence = NEW.entry) BEGIN SELECT RAISE(ABORT, 'nothing is added to an entry that stands'); END;
CREATE TRIGGER contribution_precedes BEFORE INSERT ON contribution WHEN EXISTS (SELECT 1 FROM entry WHERE sequence = NEW.entry) BEGIN SELECT RAISE(ABORT, 'nothing is added to an entry that stands'); END;
CREATE TRIGGER answer_follows BEFORE INSERT ON answer WHEN NEW.number <> 1 + coalesce((SELECT max(number) FROM answer), 0) OR NEW.previous <> coalesce((SELECT hash FROM answer WHERE number = NEW.number - 1), '0000000000000000000000000000000000000000000000000000000000000000') BEGIN SELECT RAISE(ABORT, 'an answer must follow the last one'); END;
CREATE TRIGGER stream_no_update BEFORE UPDATE ON stream BEGIN SELECT RAISE(ABORT, 'stream: rows are only added'); END;
CREATE TRIGGER stream_no_delete BEFORE DELETE ON stream BEGIN SELECT RAISE(ABORT, 'stream: rows are only added'); END;
CREATE INDEX ix_stream_first ON stream (entry) WHERE number = 1;
CREATE INDEX ix_live_opener ON live (opener);
COMMIT;
