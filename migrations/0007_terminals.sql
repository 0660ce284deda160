CREATE TABLE `pos_terminals` (
	`pos` text NOT NULL,
	`terminal` text NOT NULL,
	`is_default` integer NOT NULL,
	PRIMARY KEY(`pos`, `terminal`),
	FOREIGN KEY (`pos`) REFERENCES `points_of_sale`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`terminal`) REFERENCES `terminals`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pos_terminals_default` ON `pos_terminals` (`pos`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `terminals` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`name` text NOT NULL,
	`alert_hours` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `psp_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `jobs` ADD `terminal` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `tip` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_at_terminal` ON `jobs` (`pos`,`terminal`) WHERE terminal is not null and status = 'PENDING';