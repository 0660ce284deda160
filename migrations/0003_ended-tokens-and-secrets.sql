ALTER TABLE `points_of_sale` ADD `tokens_since` integer;--> statement-breakpoint
ALTER TABLE `points_of_sale` ADD `secret_made_at` integer;--> statement-breakpoint
ALTER TABLE `points_of_sale` ADD `former_secret_until` integer;