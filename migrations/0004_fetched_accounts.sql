CREATE TABLE `fetched_accounts` (
	`account` text PRIMARY KEY NOT NULL
);
