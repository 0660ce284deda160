ALTER TABLE `jobs` ADD `authorized` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `released` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `capture_before` integer;--> statement-breakpoint
CREATE INDEX `jobs_reserved` ON `jobs` (`capture_before`) WHERE capture_before is not null;